import { connect } from 'node:net';
import { once } from 'node:events';
import { parseHttpAnswer } from './http-answer.js';
/** A keep-alive connection that carries one request at a time. */
export class Connection {
    constructor(socket) {
        this.socket = socket;
        this.receive = (bytes) => {
            this.received = this.received ? Buffer.concat([this.received, bytes]) : bytes;
            const answer = parseHttpAnswer(this.received);
            if (!answer)
                return;
            this.received = undefined;
            const { waiting } = this;
            this.waiting = undefined;
            waiting?.resolve(answer);
        };
        socket.on('data', this.receive);
        socket.on('error', (error) => this.fail(error));
        socket.on('close', () => this.fail(new Error('The server closed the connection before its answer')));
    }
    static async open(port) {
        const socket = connect({ port, host: '127.0.0.1', noDelay: true });
        await once(socket, 'connect');
        return new Connection(socket);
    }
    /** Sends a request and resolves with its whole answer. */
    exchange(request) {
        return new Promise((resolve, reject) => {
            this.waiting = { resolve, reject };
            this.socket.write(request);
        });
    }
    /**
     * Sends a request whose answer is an event stream, resolves with the first bytes of it and hands every later
     * piece to `onText`. The connection carries nothing else from then on.
     */
    async openStream(request, onText) {
        this.socket.off('data', this.receive);
        this.socket.setEncoding('utf8');
        this.socket.write(request);
        const [head] = (await once(this.socket, 'data'));
        this.socket.on('data', onText);
        return head;
    }
    close() {
        this.socket.removeAllListeners('close');
        this.socket.destroy();
    }
    fail(error) {
        this.waiting?.reject(error);
        this.waiting = undefined;
    }
}
