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
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { initialize, PER_REQUEST_VERSION, perRequest, post, } from '../../support/json-rpc.js';
import { metaKey } from '../../support/message.js';
let CountingTools = class CountingTools {
    constructor() {
        this.calls = 0;
    }
    count() {
        this.calls += 1;
        return String(this.calls);
    }
};
__decorate([
    Tool({ description: 'Counts its calls' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], CountingTools.prototype, "count", null);
CountingTools = __decorate([
    Injectable()
], CountingTools);
const CLAIM = {
    [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
    [metaKey('clientCapabilities')]: {},
};
describe.each(ADAPTERS)('incoming notifications on %s', (adapter) => {
    let desk;
    let session;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
            providers: [CountingTools],
        });
        session = await initialize(desk.url);
    });
    afterAll(() => desk.close());
    it.each([
        ['notifications/unheard_of', { any: 'thing' }],
        ['tickets/closed'],
        ['notifications/cancelled'],
        ['notifications/cancelled', { requestId: { not: 'an id' } }],
        ['notifications/progress', { progressToken: 'nobody', progress: 'far' }],
        ['notifications/initialized'],
        ['notifications/tools/list_changed'],
        ['__proto__'],
    ])('takes the notification %s %j with 202 and no body (CORE-02)', async (method, params) => {
        const answer = await session.notify(method, params);
        expect([answer.status, answer.text]).toEqual([202, '']);
        expect((await session.request('ping')).result).toEqual({});
    });
    it('takes an unknown notification of the stateless wire with 202 and no session (CORE-02)', async () => {
        const notification = { jsonrpc: '2.0', method: 'notifications/unheard_of', params: { _meta: CLAIM } };
        const answer = await post(desk.url, notification, { 'mcp-protocol-version': PER_REQUEST_VERSION });
        expect([answer.status, answer.text]).toEqual([202, '']);
        expect(answer.headers).not.toHaveProperty('mcp-session-id');
    });
    it('does not run a method that is called without an id (CORE-02)', async () => {
        const { calls } = desk.app.get(CountingTools);
        const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'count' } };
        const inSession = await session.post(call);
        const stateless = await post(desk.url, { ...call, params: { ...call.params, _meta: CLAIM } }, { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'count' });
        expect([inSession.status, inSession.text, stateless.status, stateless.text]).toEqual([202, '', 202, '']);
        await perRequest(desk.url).request('tools/call', { name: 'count' });
        expect(desk.app.get(CountingTools).calls).toBe(calls + 1);
    });
});
