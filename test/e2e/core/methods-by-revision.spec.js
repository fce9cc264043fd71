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
import { Complete, McpModule, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/json-rpc.js';
import { assertMessage } from '../../support/schema-check.js';
let DeskHandlers = class DeskHandlers {
    greet() {
        return 'hello';
    }
    rules() {
        return 'be kind';
    }
    ticket({ id }) {
        return `ticket ${id}`;
    }
    summary() {
        return 'Summarise it';
    }
    tones() {
        return ['calm', 'brisk'];
    }
};
__decorate([
    Tool({ description: 'Greets' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "greet", null);
__decorate([
    Resource({ uri: 'desk://rules', description: 'The rules' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "rules", null);
__decorate([
    ResourceTemplate({ uriTemplate: 'desk://tickets/{id}', description: 'A ticket' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "ticket", null);
__decorate([
    Prompt({ description: 'Asks for a summary', arguments: [{ name: 'tone' }] }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "summary", null);
__decorate([
    Complete({ prompt: 'summary', argument: 'tone' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Array)
], DeskHandlers.prototype, "tones", null);
DeskHandlers = __decorate([
    Injectable()
], DeskHandlers);
const PARAMS = {
    'tools/call': { name: 'greet' },
    'resources/read': { uri: 'desk://rules' },
    'resources/subscribe': { uri: 'desk://rules' },
    'resources/unsubscribe': { uri: 'desk://rules' },
    'prompts/get': { name: 'summary' },
    'completion/complete': {
        ref: { type: 'ref/prompt', name: 'summary' },
        argument: { name: 'tone', value: 'c' },
    },
    'logging/setLevel': { level: 'error' },
    'subscriptions/listen': { notifications: {} },
    initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
};
const IN_ALL = [
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'completion/complete',
];
const IN_SESSIONS = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
const IN_NONE = [
    'sampling/createMessage',
    'elicitation/create',
    'roots/list',
    'notifications/initialized',
    'Tools/List',
    'tools',
    '__proto__',
    'constructor',
    'toString',
];
describe.each(ADAPTERS)('the methods of each revision on %s', (adapter) => {
    let desk;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
            providers: [DeskHandlers],
        });
    });
    afterAll(() => desk.close());
    describe.each(HANDSHAKE_VERSIONS)('%s', (version) => {
        let session;
        beforeAll(async () => {
            session = await initialize(desk.url, { version });
        });
        it.each([...IN_ALL, ...IN_SESSIONS])('has %s as it publishes it (CORE-03)', async (method) => {
            const answer = await session.request(method, PARAMS[method]);
            expect([answer.status, answer.error]).toEqual([200, undefined]);
            assertMessage(answer.response, { version, method });
        });
        it('answers initialize as it publishes it (CORE-03)', () => {
            const { response } = session.handshake;
            expect(session.version).toBe(version);
            assertMessage(response, { version, method: 'initialize' });
        });
        it.each(['server/discover', 'subscriptions/listen', ...IN_NONE])('has no %s and says so with 200 (CORE-03)', async (method) => {
            const answer = await session.request(method, PARAMS[method]);
            expect([answer.status, answer.error?.code]).toEqual([200, -32601]);
        });
    });
    describe('2026-07-28', () => {
        const version = '2026-07-28';
        it.each(['server/discover', ...IN_ALL])('has %s as it publishes it (CORE-03)', async (method) => {
            const answer = await perRequest(desk.url).request(method, PARAMS[method]);
            expect([answer.status, answer.error]).toEqual([200, undefined]);
            assertMessage(answer.response, { version, method });
        });
        it('has subscriptions/listen (CORE-03)', async () => {
            const stream = await perRequest(desk.url).listen({ toolsListChanged: true });
            for (const message of stream.messages)
                assertMessage(message, { version });
            expect(stream.messages).toHaveLength(1);
            await stream.close();
        });
        it.each(['initialize', ...IN_SESSIONS, ...IN_NONE])('has no %s and says so with 404 (CORE-03)', async (method) => {
            const answer = await perRequest(desk.url).request(method, PARAMS[method]);
            expect([answer.status, answer.error?.code]).toEqual([404, -32601]);
        });
    });
});
