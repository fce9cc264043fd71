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
import { ForbiddenException, Injectable, NotFoundException } from '@nestjs/common';
import { McpError, McpModule, Tool, ToolError } from 'nestjs-mcp';
import { throwError } from 'rxjs';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { initialize, perRequest } from '../../support/json-rpc.js';
const SECRET = 'hunter2';
let FailingTools = class FailingTools {
    crash() {
        throw new Error(`password ${SECRET}`);
    }
    reject() {
        return Promise.reject(new TypeError(SECRET));
    }
    throwText() {
        throw SECRET;
    }
    err() {
        return throwError(() => new Error(SECRET));
    }
    refuse() {
        throw new ToolError('The ticket is closed: open it first');
    }
    notFound() {
        throw new NotFoundException('No ticket 42');
    }
    forbidden() {
        throw new ForbiddenException();
    }
    protocolError() {
        throw new McpError(-32_000 - 999_000, 'Out of paper', { tray: 2 });
    }
    returned() {
        return { content: [{ type: 'text', text: 'no luck' }], isError: true };
    }
    failLate(_, context) {
        context.progress(1);
        throw new ToolError('half way');
    }
};
__decorate([
    Tool({ description: 'Throws' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FailingTools.prototype, "crash", null);
__decorate([
    Tool({ description: 'Rejects' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Promise)
], FailingTools.prototype, "reject", null);
__decorate([
    Tool({ description: 'Throws what is no error' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FailingTools.prototype, "throwText", null);
__decorate([
    Tool({ description: 'Errs as an Observable' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], FailingTools.prototype, "err", null);
__decorate([
    Tool({ description: 'Says what is wrong' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FailingTools.prototype, "refuse", null);
__decorate([
    Tool({ description: 'Fails as a controller would' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FailingTools.prototype, "notFound", null);
__decorate([
    Tool({ description: 'Fails as a guard would' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FailingTools.prototype, "forbidden", null);
__decorate([
    Tool({ description: 'Breaks the protocol on purpose' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], FailingTools.prototype, "protocolError", null);
__decorate([
    Tool({ description: 'Returns an error' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], FailingTools.prototype, "returned", null);
__decorate([
    Tool({ description: 'Fails half way' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", String)
], FailingTools.prototype, "failLate", null);
FailingTools = __decorate([
    Injectable()
], FailingTools);
describe.each(ADAPTERS)('failures of tools on %s', (adapter) => {
    let desk;
    let open;
    beforeAll(async () => {
        const serverInfo = { name: 'desk', version: '1.0.0' };
        const providers = [FailingTools];
        desk = await bootApp({ adapter, imports: [McpModule.forRoot({ serverInfo })], providers });
        open = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo, exposeErrors: true })],
            providers,
        });
    });
    afterAll(async () => {
        await desk.close();
        await open.close();
    });
    async function callBoth(name, url = desk.url) {
        const session = await initialize(url);
        return [
            await session.request('tools/call', { name }),
            await perRequest(url).request('tools/call', { name }),
        ];
    }
    it.each(['crash', 'reject', 'throwText', 'err'])('answers %s with a result that is an error and says nothing of it (CORE-05)', async (name) => {
        for (const { status, result, error } of await callBoth(name)) {
            expect([status, error]).toEqual([200, undefined]);
            expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
            expect(JSON.stringify(result)).not.toMatch(new RegExp(`${SECRET}|\\.ts:|at `));
        }
    });
    it('gives each unexpected failure an incident of its own (CORE-05)', async () => {
        const [first, second] = await callBoth('crash');
        expect(first?.result?.['content']).not.toEqual(second?.result?.['content']);
    });
    it.each([
        ['refuse', 'The ticket is closed: open it first'],
        ['notFound', 'No ticket 42'],
        ['forbidden', 'Forbidden'],
        ['returned', 'no luck'],
    ])('answers %s with a result that is an error and its message (CORE-05)', async (name, text) => {
        for (const { status, result } of await callBoth(name)) {
            expect(status).toBe(200);
            expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
        }
    });
    it('answers an McpError as the JSON-RPC error that it is (CORE-05)', async () => {
        for (const { status, result, error } of await callBoth('protocolError')) {
            expect([status, result]).toEqual([200, undefined]);
            expect(error).toEqual({ code: -1_031_000, message: 'Out of paper', data: { tray: 2 } });
        }
    });
    it('answers an unknown tool with a JSON-RPC error (CORE-05)', async () => {
        for (const { result, error } of await callBoth('missing')) {
            expect([result, error?.code]).toEqual([undefined, -32602]);
        }
    });
    it('shows the message of an unexpected failure where "exposeErrors" is set (CORE-05)', async () => {
        for (const { result } of await callBoth('crash', open.url)) {
            expect(result).toMatchObject({ isError: true });
            expect(JSON.stringify(result)).toContain(`password ${SECRET}`);
        }
    });
    it('ends a stream that has begun with the failure (CORE-05)', async () => {
        const params = { name: 'failLate', _meta: { progressToken: 1 } };
        const answer = await perRequest(desk.url).request('tools/call', params);
        expect(answer.notifications).toHaveLength(1);
        expect(answer.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'half way' }] });
    });
});
