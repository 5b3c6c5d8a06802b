/** mqtt.js without the parts a browser cannot use: one client, one socket, no reconnecting of its own. */
import MqttClient from "mqtt/lib/client";
import { browserStreamBuilder } from "mqtt/lib/connect/ws";
import type { IClientOptions } from "mqtt";
import type { Session } from "./server";

/** What the link needs of a connection, so that tests can stand in for it. */
export interface Connection {
  on(event: string, handler: (...args: never[]) => void): unknown;
  subscribe(topics: string[], options: { qos: 0 | 1 }, done: (error: Error | null) => void): unknown;
  publish(topic: string, payload: string, options: { qos: 0 | 1 }): unknown;
  end(force: boolean): unknown;
}
/** `line` names this connection in its last will. */
export type Connect = (session: Session, line: string) => Connection;

export const connect: Connect = (session, line) => {
  const url = new URL(session.ws);
  const secure = url.protocol === "wss:";
  const options: IClientOptions = {
    protocol: secure ? "wss" : "ws",
    protocolVersion: 5,
    hostname: url.hostname,
    host: url.hostname,
    port: Number(url.port || (secure ? 443 : 80)),
    path: url.pathname,
    clientId: session.client,
    username: session.user,
    password: session.password,
    clean: true,
    keepalive: 15,
    connectTimeout: 6000,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    timerVariant: "native",
  };
  if (session.seat !== null) {
    const gone = JSON.stringify({ v: 1, line, here: false });
    options.will = {
      topic: `${session.base}here/${session.client}`,
      payload: Buffer.from(gone),
      qos: 1,
      retain: false,
    };
  }
  const client = new MqttClient((self: MqttClient) => browserStreamBuilder(self, options), options);
  return client as unknown as Connection;
};
