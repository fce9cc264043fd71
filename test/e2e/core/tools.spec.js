var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Arguments, Context, McpModule, Tool } from 'nestjs-mcp';
import { delayWhen, from, of, timer } from 'rxjs';
import { z } from 'zod';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { initialize, perRequest } from '../../support/json-rpc.js';
const TEXT = z.object({ text: z.string(), times: z.number().default(1) });
let DeskTools = class DeskTools {
    greet(...received) {
        return `hello ${JSON.stringify(received[0])}`;
    }
    repeat({ text, times }) {
        return text.repeat(times);
    }
    async promise(text, context) {
        await Promise.resolve();
        return `${context.method} ${text}`;
    }
    observe() {
        return from(['first', 'last']).pipe(delayWhen(() => timer(1)));
    }
    observeNothing() {
        return of();
    }
};
__decorate([
    Tool({ description: 'Takes nothing' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", String)
], DeskTools.prototype, "greet", null);
__decorate([
    Tool({ name: 'repeat-text', description: 'Repeats', inputSchema: TEXT }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", String)
], DeskTools.prototype, "repeat", null);
__decorate([
    Tool({ description: 'Promises', inputSchema: TEXT }),
    __param(0, Arguments('text')),
    __param(1, Context()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [String, Object]),
    __metadata("design:returntype", Promise)
], DeskTools.prototype, "promise", null);
__decorate([
    Tool({ description: 'Emits' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskTools.prototype, "observe", null);
__decorate([
    Tool({ description: 'Emits nothing' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskTools.prototype, "observeNothing", null);
DeskTools = __decorate([
    Injectable()
], DeskTools);
describe.each(ADAPTERS)('tools on %s', (adapter) => {
    let desk;
    let session;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
            providers: [DeskTools],
        });
        session = await initialize(desk.url);
    });
    afterAll(() => desk.close());
    const texts = async (name, given) => {
        const params = { name, ...(given && { arguments: given }) };
        const answers = [
            await session.request('tools/call', params),
            await perRequest(desk.url).request('tools/call', params),
        ];
        return answers.map(({ result }) => result?.['content']);
    };
    const twice = (text) => [[{ type: 'text', text }], [{ type: 'text', text }]];
    it('lists tools in the order in which they are declared (CORE-03)', async () => {
        const { result } = await session.request('tools/list');
        const names = (result?.['tools']).map(({ name }) => name);
        expect(names).toEqual(['greet', 'repeat-text', 'promise', 'observe', 'observeNothing']);
    });
    it('shows a tool that takes nothing with an object schema (CORE-03)', async () => {
        const { result } = await session.request('tools/list');
        const [greet] = result?.['tools'];
        expect(greet?.inputSchema).toMatchObject({ type: 'object' });
    });
    it('calls a tool without arguments (CORE-03)', async () => {
        expect(await texts('greet')).toEqual(twice('hello {}'));
    });
    it('calls a tool with validated arguments and their defaults (CORE-03)', async () => {
        expect(await texts('repeat-text', { text: 'ab' })).toEqual(twice('ab'));
        expect(await texts('repeat-text', { text: 'ab', times: 2 })).toEqual(twice('abab'));
    });
    it('waits for a promise (CORE-03)', async () => {
        expect(await texts('promise', { text: 'x' })).toEqual(twice('tools/call x'));
    });
    it('takes the last value of an Observable as the result (CORE-03)', async () => {
        expect(await texts('observe')).toEqual(twice('last'));
    });
    it('answers an Observable without a value with no content (CORE-03)', async () => {
        expect(await texts('observeNothing')).toEqual([[], []]);
    });
    it('keeps the type of the request id (CORE-01, CORE-03)', async () => {
        for (const id of ['text-id', '7', 7, 0, -1, '']) {
            const answer = await perRequest(desk.url).request('tools/call', { name: 'greet' }, { id });
            expect(answer.response?.id).toBe(id);
        }
    });
    it('answers ping and setLevel with nothing in the result (CORE-03)', async () => {
        expect((await session.request('ping')).result).toEqual({});
        expect((await session.request('logging/setLevel', { level: 'info' })).result).toEqual({});
    });
    it.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])('takes the log level %s (CORE-03)', async (level) => {
        expect((await session.request('logging/setLevel', { level })).result).toEqual({});
    });
});
