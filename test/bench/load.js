import { Connection } from './connection.js';
import { findHeader, parseMessage } from './http-answer.js';
import { RequestTemplate } from './request-template.js';
import {} from './server-process.js';
import { endSessions, openSession } from './session.js';
import { findQuantile, sortNumbers } from './statistics.js';
import {} from './workloads.js';
const CHECKED_REQUESTS = 3;
/** As many sessions as "initialize" leaves open before they are ended, lest the memory they take be measured. */
const OPEN_SESSIONS = 1000;
/**
 * Loads a server over keep-alive connections, each of which sends its next request when it has the answer to the last,
 * and reads the server's processor time before and after. The first answers are parsed and compared with what is
 * expected; from then on each must have the same status and length.
 */
export async function measureLoad(server, { workload, row, plan }) {
    const load = new Load(server.port, workload, row);
    try {
        await load.open(plan.connections);
        await load.warmUp(plan.warmUpMs);
        const cpuBefore = await server.readCpuMicroseconds();
        const started = performance.now();
        const latencies = sortNumbers(await load.run(plan.sliceMs));
        const seconds = (performance.now() - started) / 1000;
        const cpu = (await server.readCpuMicroseconds()) - cpuBefore;
        return {
            cpuMicroseconds: cpu / latencies.length,
            perSecond: latencies.length / seconds,
            p50Milliseconds: findQuantile(latencies, 0.5),
            p99Milliseconds: findQuantile(latencies, 0.99),
            bytes: load.answerLength,
        };
    }
    finally {
        await load.close();
    }
}
class Load {
    constructor(port, workload, row) {
        this.port = port;
        this.workload = workload;
        this.row = row;
        this.answerLength = 0;
        this.clients = [];
        this.sessionIds = [];
        this.opensSessions = workload.message?.method === 'initialize';
    }
    async open(connections) {
        for (let count = 0; count < connections; count += 1) {
            const client = await this.createClient();
            this.clients.push(client);
            for (let request = 0; request < CHECKED_REQUESTS; request += 1)
                await this.check(client);
        }
    }
    async warmUp(durationMs) {
        const end = performance.now() + durationMs;
        while (performance.now() < end) {
            await this.run(end - performance.now());
            if (this.opensSessions)
                await this.endSessions();
        }
    }
    /** Gives the latency of every answer, in milliseconds. */
    async run(durationMs) {
        const latencies = [];
        const end = performance.now() + durationMs;
        await Promise.all(this.clients.map((client) => this.drive(client, end, latencies)));
        return latencies;
    }
    async close() {
        await this.endSessions();
        for (const { connection } of this.clients)
            connection.close();
    }
    async endSessions() {
        const [first] = this.clients;
        if (first)
            await endSessions(first.connection, this.port, this.sessionIds.splice(0));
    }
    async createClient() {
        const { port, workload } = this;
        const connection = await Connection.open(port);
        const sessionId = workload.wire === 'handshake' && !this.opensSessions ? await openSession(connection, port) : undefined;
        if (sessionId !== undefined)
            this.sessionIds.push(sessionId);
        const destination = { port, wire: workload.wire, sessionId };
        if (!workload.message)
            throw new Error(`The workload "${workload.name}" has no request`);
        return { connection, template: new RequestTemplate(destination, workload.message) };
    }
    async check({ connection, template }) {
        const answer = await connection.exchange(template.createRequest());
        this.rememberSession(answer);
        const message = answer.status === 200 ? parseMessage(answer) : {};
        if (!message.result)
            throw new Error(`No result (${answer.status}): ${answer.body.toString()}`);
        this.workload.assertResult(message.result, this.row.tools);
        this.answerLength ||= answer.body.length;
        this.assertSame(answer);
    }
    async drive({ connection, template }, end, latencies) {
        let now = performance.now();
        while (now < end && !this.isFull()) {
            const sent = now;
            const answer = await connection.exchange(template.createRequest());
            now = performance.now();
            latencies.push(now - sent);
            this.assertSame(answer);
            if (this.opensSessions)
                this.rememberSession(answer);
        }
    }
    assertSame({ status, body }) {
        if (status === 200 && body.length === this.answerLength)
            return;
        throw new Error(`Expected ${this.answerLength} bytes, got ${body.length} (${status}): ${body.toString()}`);
    }
    isFull() {
        return this.opensSessions && this.sessionIds.length >= OPEN_SESSIONS;
    }
    rememberSession({ head }) {
        if (!this.opensSessions)
            return;
        const sessionId = findHeader(head, 'mcp-session-id');
        if (sessionId !== undefined)
            this.sessionIds.push(sessionId);
    }
}
