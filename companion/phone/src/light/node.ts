/** What mqtt.js takes for granted in Node. */
import { Buffer } from "buffer";
import process from "process";
export { Buffer, process };
