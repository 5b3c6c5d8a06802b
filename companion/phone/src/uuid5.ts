/** Name-based ids (RFC 9562, version 5). The browser's own SHA-1 is shut on plain http, so it is spelled out here. */

const URL_NAMESPACE = "6ba7b8119dad11d180b400c04fd430c8";

const turn = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

export function sha1(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 8) >> 6) * 64 + 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, data.length * 8);
  let [a, b, c, d, e] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const w = new Int32Array(80);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 80; i += 1)
      w[i] = i < 16 ? view.getInt32(at + 4 * i) : turn((w[i - 3] ?? 0) ^ (w[i - 8] ?? 0) ^ (w[i - 14] ?? 0) ^ (w[i - 16] ?? 0), 1);
    const [a0, b0, c0, d0, e0] = [a, b, c, d, e];
    for (let i = 0; i < 80; i += 1) {
      const [f, k] =
        i < 20 ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40 ? [b ^ c ^ d, 0x6ed9eba1]
        : i < 60 ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
        : [b ^ c ^ d, 0xca62c1d6];
      const next = (turn(a, 5) + f + e + k + (w[i] ?? 0)) | 0;
      [e, d, c, b, a] = [d, c, turn(b, 30), a, next];
    }
    [a, b, c, d, e] = [(a + a0) | 0, (b + b0) | 0, (c + c0) | 0, (d + d0) | 0, (e + e0) | 0];
  }
  const out = new Uint8Array(20);
  [a, b, c, d, e].forEach((word, i) => new DataView(out.buffer).setInt32(4 * i, word));
  return out;
}

/** The same id for the same name, here and in the table's own export. */
export function uuid5(name: string): string {
  const space = Uint8Array.from(URL_NAMESPACE.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const text = new TextEncoder().encode(name);
  const hash = sha1(Uint8Array.from([...space, ...text])).slice(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
