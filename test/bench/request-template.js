import { buildPost } from './wire.js';
const PLACEHOLDER_ID = 10_000_000;
const DIGITS = 8;
let lastId = PLACEHOLDER_ID;
/**
 * Keeps one request as bytes and writes a fresh id into them before each send, so that the load generator
 * neither serialises nor allocates per request and every answer has the same length. An instance serves one
 * connection, which sends the next request only after the answer to the last one.
 */
export class RequestTemplate {
    constructor(destination, message) {
        this.bytes = buildPost(destination, message, PLACEHOLDER_ID);
        this.idOffset = this.bytes.indexOf(`"id":${PLACEHOLDER_ID}`) + '"id":'.length;
    }
    createRequest() {
        lastId += 1;
        this.bytes.write(String(lastId), this.idOffset, DIGITS, 'latin1');
        return this.bytes;
    }
}
