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
import { McpModule, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { initialize, perRequest } from '../../support/json-rpc.js';
let DeskHandlers = class DeskHandlers {
    first() {
        return '1';
    }
    second() {
        return '2';
    }
    plain() {
        return 'text';
    }
    own() {
        return 'text';
    }
    template() {
        return 'text';
    }
    ownTemplate() {
        return 'text';
    }
    ask() {
        return 'text';
    }
};
__decorate([
    Tool({ description: 'One' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "first", null);
__decorate([
    Tool({ description: 'Two' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "second", null);
__decorate([
    Resource({ uri: 'desk://plain' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "plain", null);
__decorate([
    Resource({ uri: 'desk://own', cache: { ttlMs: 99, scope: 'public' } }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "own", null);
__decorate([
    ResourceTemplate({ uriTemplate: 'desk://plain/{id}' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "template", null);
__decorate([
    ResourceTemplate({ uriTemplate: 'desk://own/{id}', cache: { ttlMs: 98, scope: 'private' } }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "ownTemplate", null);
__decorate([
    Prompt(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], DeskHandlers.prototype, "ask", null);
DeskHandlers = __decorate([
    Injectable()
], DeskHandlers);
const CACHE = {
    discover: { ttlMs: 1, scope: 'public' },
    tools: { ttlMs: 2, scope: 'public' },
    prompts: { ttlMs: 3, scope: 'private' },
    resources: { ttlMs: 4, scope: 'public' },
    resourceTemplates: { ttlMs: 5, scope: 'private' },
    resourceContents: { ttlMs: 6, scope: 'public' },
};
const CACHEABLE = [
    ['server/discover', {}, 'discover'],
    ['tools/list', {}, 'tools'],
    ['prompts/list', {}, 'prompts'],
    ['resources/list', {}, 'resources'],
    ['resources/templates/list', {}, 'resourceTemplates'],
    ['resources/read', { uri: 'desk://plain' }, 'resourceContents'],
    ['resources/read', { uri: 'desk://plain/1' }, 'resourceContents'],
];
describe.each(ADAPTERS)('cache hints on %s', (adapter) => {
    let plain;
    let tuned;
    beforeAll(async () => {
        plain = await boot(adapter, DeskHandlers, {});
        tuned = await boot(adapter, DeskHandlers, { cache: CACHE, pageSize: 1 });
    });
    afterAll(async () => {
        await plain.close();
        await tuned.close();
    });
    async function hint(app, method, params) {
        const { result } = await perRequest(app.url).request(method, params);
        return [result?.['ttlMs'], result?.['cacheScope']];
    }
    it.each(CACHEABLE)('say of %s %j that it may not be kept unless told otherwise (VER-05)', async (method, params) => {
        expect(await hint(plain, method, params)).toEqual([0, 'private']);
    });
    it.each(CACHEABLE)('say of %s %j what is configured (VER-05)', async (method, params, key) => {
        expect(await hint(tuned, method, params)).toEqual([CACHE[key].ttlMs, CACHE[key].scope]);
    });
    it.each([
        ['desk://own', 99, 'public'],
        ['desk://own/1', 98, 'private'],
    ])('say of %s what the resource itself says (VER-05)', async (uri, ttlMs, scope) => {
        expect(await hint(plain, 'resources/read', { uri })).toEqual([ttlMs, scope]);
        expect(await hint(tuned, 'resources/read', { uri })).toEqual([ttlMs, scope]);
    });
    it('are the same on every page of a list (VER-05)', async () => {
        const { result } = await perRequest(tuned.url).request('tools/list');
        expect(await hint(tuned, 'tools/list', { cursor: result?.['nextCursor'] })).toEqual([2, 'public']);
    });
    it.each([
        ['tools/call', { name: 'first' }],
        ['prompts/get', { name: 'ask' }],
    ])('are not on %s, which nobody may keep (VER-05)', async (method, params) => {
        expect(await hint(tuned, method, params)).toEqual([undefined, undefined]);
    });
    it('are not in sessions (VER-05)', async () => {
        const session = await initialize(tuned.url);
        for (const [method, params] of CACHEABLE.slice(1)) {
            const { result } = await session.request(method, params);
            expect(Object.keys(result ?? {})).not.toEqual(expect.arrayContaining(['ttlMs']));
            expect(result).not.toHaveProperty('cacheScope');
        }
    });
});
function boot(adapter, handlers, options) {
    const serverInfo = { name: 'desk', version: '1.0.0' };
    return bootApp({
        adapter,
        imports: [McpModule.forRoot({ serverInfo, ...options })],
        providers: [handlers],
    });
}
