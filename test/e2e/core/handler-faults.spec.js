var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Prompt, Resource, Tool } from 'nestjs-mcp';
import { NEVER } from 'rxjs';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { Gates } from '../../support/gate.js';
import { initialize, perRequest } from '../../support/json-rpc.js';
import { until } from '../../support/until.js';
const RUBBISH = {
    undefined: () => undefined,
    null: () => null,
    number: () => 42,
    bigint: () => ({ amount: 42n }),
    circle: () => {
        const circle = {};
        circle['self'] = circle;
        return circle;
    },
    thrower: () => ({
        toJSON() {
            throw new Error('not today');
        },
    }),
    function: () => () => 'call me',
    symbol: () => Symbol('tool'),
    halfResult: () => ({ content: 'not a list' }),
    halfBlock: () => ({ content: [{ type: 'image' }, null] }),
};
let FaultyHandlers = class FaultyHandlers {
    constructor() {
        this.gates = new Gates();
        this.aborted = [];
    }
    async work({ gate }) {
        await this.gates.at(gate).pass();
        return `worked ${gate}`;
    }
    crash() {
        throw new Error('crashed');
    }
    async hang(_, { signal }) {
        signal.addEventListener('abort', () => this.aborted.push('hang'));
        await new Promise(() => undefined);
        return 'never';
    }
    hangQuietly() {
        return NEVER;
    }
    rubbish({ kind }) {
        return RUBBISH[kind]?.();
    }
    hangingResource() {
        return new Promise(() => undefined);
    }
    rubbishResource() {
        return RUBBISH['circle']?.();
    }
    rubbishPrompt() {
        return RUBBISH['halfResult']?.();
    }
};
__decorate([
    Tool({
        description: 'Works',
        timeoutMs: 10_000,
        inputSchema: { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] },
    }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], FaultyHandlers.prototype, "work", null);
__decorate([
    Tool({ description: 'Throws' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FaultyHandlers.prototype, "crash", null);
__decorate([
    Tool({ description: 'Never answers and hears the signal', timeoutMs: 50 }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], FaultyHandlers.prototype, "hang", null);
__decorate([
    Tool({ description: 'Never completes', timeoutMs: 50 }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], FaultyHandlers.prototype, "hangQuietly", null);
__decorate([
    Tool({
        description: 'Returns what it should not',
        inputSchema: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
    }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Object)
], FaultyHandlers.prototype, "rubbish", null);
__decorate([
    Resource({ uri: 'desk://hanging' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Promise)
], FaultyHandlers.prototype, "hangingResource", null);
__decorate([
    Resource({ uri: 'desk://rubbish' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Object)
], FaultyHandlers.prototype, "rubbishResource", null);
__decorate([
    Prompt(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Object)
], FaultyHandlers.prototype, "rubbishPrompt", null);
FaultyHandlers = __decorate([
    Injectable()
], FaultyHandlers);
describe.each(ADAPTERS)('faults of handlers on %s', (adapter) => {
    let desk;
    let handlers;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, callTimeoutMs: 100 })],
            providers: [FaultyHandlers],
        });
        handlers = desk.app.get(FaultyHandlers);
    });
    afterAll(() => desk.close());
    async function callBoth(method, params) {
        const session = await initialize(desk.url);
        return [await session.request(method, params), await perRequest(desk.url).request(method, params)];
    }
    it.each(['crash', 'hang', 'hangQuietly'])('%s is answered as an error of the tool (SAFE-04)', async (name) => {
        for (const { status, result } of await callBoth('tools/call', { name })) {
            expect([status, result?.['isError']]).toEqual([200, true]);
        }
    });
    it('a tool that runs out of time is aborted (SAFE-04)', async () => {
        handlers.aborted.length = 0;
        await callBoth('tools/call', { name: 'hang' });
        await until(() => handlers.aborted.length === 2, 'two aborted handlers');
    });
    it('a resource that runs out of time is answered with -32603 (SAFE-04)', async () => {
        for (const { error } of await callBoth('resources/read', { uri: 'desk://hanging' })) {
            expect(error?.code).toBe(-32603);
        }
    });
    it.each(Object.keys(RUBBISH))('a tool that returns %s still has an answer (SAFE-04)', async (kind) => {
        for (const { status, response } of await callBoth('tools/call', {
            name: 'rubbish',
            arguments: { kind },
        })) {
            expect(status).toBe(200);
            expect(response?.result?.['content'] ?? response?.error).toBeDefined();
        }
    });
    it.each(['bigint', 'circle', 'thrower'])('a tool that returns %s, which is no JSON, is answered as an error (SAFE-04)', async (kind) => {
        for (const { result, error } of await callBoth('tools/call', {
            name: 'rubbish',
            arguments: { kind },
        })) {
            expect(result?.['isError'] ?? error?.code).toEqual(error === undefined ? true : -32603);
        }
    });
    it('a resource and a prompt that return rubbish are answered with -32603 (SAFE-04)', async () => {
        const answers = [
            ...(await callBoth('resources/read', { uri: 'desk://rubbish' })),
            ...(await callBoth('prompts/get', { name: 'rubbishPrompt' })),
        ];
        expect(answers.map(({ error }) => error?.code)).toEqual([-32603, -32603, -32603, -32603]);
    });
    it('a call beside faulty ones has its own answer (SAFE-04)', async () => {
        const session = await initialize(desk.url);
        const other = await initialize(desk.url);
        const gate = handlers.gates.at(`beside ${adapter}`);
        const params = { name: 'work', arguments: { gate: `beside ${adapter}` } };
        const calls = [session, other].map((client) => client.start('tools/call', params));
        await gate.reached();
        const faults = await Promise.all([
            session.request('tools/call', { name: 'crash' }),
            session.request('tools/call', { name: 'rubbish', arguments: { kind: 'circle' } }),
            other.request('resources/read', { uri: 'desk://rubbish' }),
        ]);
        gate.open();
        const answers = await Promise.all(calls.map((call) => call.answer()));
        expect(faults).toHaveLength(3);
        for (const { result } of answers) {
            expect(result).toMatchObject({ content: [{ type: 'text', text: `worked beside ${adapter}` }] });
        }
    });
});
