import { fork } from 'node:child_process';
import { once } from 'node:events';
import {} from './servers/serve.js';
/** A server under measurement, in a process of its own that reports its processor time when asked. */
export class ServerProcess {
    constructor(child, port) {
        this.child = child;
        this.port = port;
    }
    static async start(program, settings) {
        const child = fork(new URL(`servers/${program}.js`, import.meta.url), [JSON.stringify(settings)], {
            env: { ...process.env, NODE_ENV: 'production' },
            stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        const { port } = await receive(child);
        return new ServerProcess(child, port);
    }
    /** Reads the user and system time of all the process's threads so far, in microseconds. */
    async readCpuMicroseconds() {
        this.child.send('cpu');
        const { user, system } = await receive(this.child);
        return user + system;
    }
    async stop() {
        if (this.child.exitCode !== null || this.child.signalCode !== null)
            return;
        const exit = once(this.child, 'exit');
        this.child.kill('SIGKILL');
        await exit;
    }
}
async function receive(child) {
    const abort = new AbortController();
    const { signal } = abort;
    const message = once(child, 'message', { signal }).then(([received]) => received);
    const exit = once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`The server process ended with ${code}`);
    });
    exit.catch(() => undefined);
    message.catch(() => undefined);
    try {
        return await Promise.race([message, exit]);
    }
    finally {
        abort.abort();
    }
}
