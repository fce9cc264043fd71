const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
/** Parses one HTTP/1.1 response, or gives `undefined` while bytes of it are missing. */
export function parseHttpAnswer(received) {
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0)
        return undefined;
    const head = received.toString('latin1', 0, headEnd);
    const status = Number(head.slice(9, 12));
    const rest = received.subarray(headEnd + HEAD_END.length);
    const body = parseBody(head, rest);
    return body && { status, head, body };
}
/** Finds a header's value in a response head. */
export function findHeader(head, name) {
    return new RegExp(`\r\n${name}: *([^\r]*)`, 'i').exec(head)?.[1];
}
/** Parses the JSON-RPC message of an answer, be it JSON or the first message of an event stream. */
export function parseMessage({ head, body }) {
    const text = body.toString('utf8');
    if (!/\r\ncontent-type: *text\/event-stream/i.test(head))
        return JSON.parse(text);
    const line = text.split('\n').find((candidate) => candidate.startsWith('data: {'));
    if (line === undefined)
        throw new Error(`The event stream carries no message: ${text}`);
    return JSON.parse(line.slice('data: '.length));
}
function parseBody(head, rest) {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
        return rest.length < Number(length) ? undefined : rest.subarray(0, Number(length));
    }
    if (/\r\ntransfer-encoding: *chunked/i.test(head))
        return joinChunks(rest);
    return rest.subarray(0, 0);
}
function joinChunks(rest) {
    const chunks = [];
    let offset = 0;
    for (;;) {
        const lineEnd = rest.indexOf(LINE_END, offset);
        if (lineEnd < 0)
            return undefined;
        const size = Number.parseInt(rest.toString('latin1', offset, lineEnd), 16);
        const start = lineEnd + LINE_END.length;
        const end = start + size + LINE_END.length;
        if (rest.length < end)
            return undefined;
        if (size === 0)
            return Buffer.concat(chunks);
        chunks.push(rest.subarray(start, start + size));
        offset = end;
    }
}
