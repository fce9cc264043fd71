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
import { Complete, McpModule, Prompt, ResourceTemplate } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { initialize } from '../../support/json-rpc.js';
const TONES = ['calm', 'brisk', 'curt', 'warm'];
let DeskPrompts = class DeskPrompts {
    reply({ ticket, tone = 'any' }) {
        return `Reply to ${ticket} in ${tone} tone`;
    }
    visit({ city }) {
        return [
            { role: 'user', content: { type: 'text', text: `Plan a visit to ${city}` } },
            { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
        ];
    }
    tones({ value }) {
        return TONES.filter((tone) => tone.startsWith(value));
    }
    tickets({ arguments: known }) {
        return { values: [`for ${known['tone'] ?? 'nothing'}`], total: 300, hasMore: true };
    }
    cities() {
        return Array.from({ length: 150 }, (_, index) => `city ${index}`);
    }
    ticket({ id }) {
        return id;
    }
    ids({ value, name }) {
        return [`${name}-${value}1`];
    }
};
__decorate([
    Prompt({
        description: 'Asks for a reply',
        arguments: [
            { name: 'ticket', description: 'Its number', required: true },
            { name: 'tone', description: 'How it sounds' },
        ],
    }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", String)
], DeskPrompts.prototype, "reply", null);
__decorate([
    Prompt({ arguments: z.object({ city: z.string().describe('Where'), day: z.string().optional() }) }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", void 0)
], DeskPrompts.prototype, "visit", null);
__decorate([
    Complete({ prompt: 'reply', argument: 'tone' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Array)
], DeskPrompts.prototype, "tones", null);
__decorate([
    Complete({ prompt: 'reply', argument: 'ticket' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", void 0)
], DeskPrompts.prototype, "tickets", null);
__decorate([
    Complete({ prompt: 'visit', argument: 'city' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Array)
], DeskPrompts.prototype, "cities", null);
__decorate([
    ResourceTemplate({ uriTemplate: 'desk://tickets/{id}' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", String)
], DeskPrompts.prototype, "ticket", null);
__decorate([
    Complete({ resourceTemplate: 'desk://tickets/{id}', argument: 'id' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Array)
], DeskPrompts.prototype, "ids", null);
DeskPrompts = __decorate([
    Injectable()
], DeskPrompts);
const REPLY = { type: 'ref/prompt', name: 'reply' };
describe.each(ADAPTERS)('prompts and completion on %s', (adapter) => {
    let desk;
    let session;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
            providers: [DeskPrompts],
        });
        session = await initialize(desk.url);
    });
    afterAll(() => desk.close());
    async function complete(params) {
        const answer = await session.request('completion/complete', params);
        return answer.result?.['completion'] ?? answer.error?.code;
    }
    it('lists prompts with the arguments they take (CORE-03)', async () => {
        const { result } = await session.request('prompts/list');
        expect(result).toEqual({
            prompts: [
                {
                    name: 'reply',
                    description: 'Asks for a reply',
                    arguments: [
                        { name: 'ticket', description: 'Its number', required: true },
                        { name: 'tone', description: 'How it sounds' },
                    ],
                },
                {
                    name: 'visit',
                    arguments: [
                        { name: 'city', description: 'Where', required: true },
                        expect.objectContaining({ name: 'day' }),
                    ],
                },
            ],
        });
    });
    it('gives a text as one message of the user (CORE-03)', async () => {
        const params = { name: 'reply', arguments: { ticket: '42', tone: 'calm' } };
        const { result } = await session.request('prompts/get', params);
        expect(result).toEqual({
            description: 'Asks for a reply',
            messages: [{ role: 'user', content: { type: 'text', text: 'Reply to 42 in calm tone' } }],
        });
    });
    it('gives the messages that a handler returns (CORE-03)', async () => {
        const { result } = await session.request('prompts/get', { name: 'visit', arguments: { city: 'Rome' } });
        expect(result?.['messages']).toEqual([
            { role: 'user', content: { type: 'text', text: 'Plan a visit to Rome' } },
            { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
        ]);
    });
    it.each([
        { name: 'reply' },
        { name: 'reply', arguments: { tone: 'calm' } },
        { name: 'visit', arguments: {} },
        { name: 'reply', arguments: { ticket: 42 } },
    ])('answers %j, which lacks a proper argument, with -32602 (CORE-03)', async (params) => {
        expect((await session.request('prompts/get', params)).error?.code).toBe(-32602);
    });
    it('completes an argument of a prompt (CORE-03)', async () => {
        const completion = await complete({ ref: REPLY, argument: { name: 'tone', value: 'c' } });
        expect(completion).toEqual({ values: ['calm', 'curt'] });
    });
    it('completes by the arguments that are known already (CORE-03)', async () => {
        const completion = await complete({
            ref: REPLY,
            argument: { name: 'ticket', value: '' },
            context: { arguments: { tone: 'calm' } },
        });
        expect(completion).toEqual({ values: ['for calm'], total: 300, hasMore: true });
    });
    it('completes a variable of a resource template (CORE-03)', async () => {
        const ref = { type: 'ref/resource', uri: 'desk://tickets/{id}' };
        expect(await complete({ ref, argument: { name: 'id', value: '4' } })).toEqual({ values: ['id-41'] });
    });
    it('gives no more than a hundred completions (CORE-03)', async () => {
        const completion = (await complete({
            ref: { type: 'ref/prompt', name: 'visit' },
            argument: { name: 'city', value: '' },
        }));
        expect(completion.values).toHaveLength(100);
        expect(completion.hasMore).toBe(true);
    });
    it('gives no completions for an argument that nobody completes (CORE-03)', async () => {
        const ref = { type: 'ref/prompt', name: 'visit' };
        expect(await complete({ ref, argument: { name: 'day', value: '' } })).toEqual({ values: [] });
    });
    it.each([
        { type: 'ref/prompt', name: 'missing' },
        { type: 'ref/resource', uri: 'desk://missing/{id}' },
    ])('answers the completion of the unknown %j with -32602 (CORE-03)', async (ref) => {
        expect(await complete({ ref, argument: { name: 'id', value: '' } })).toBe(-32602);
    });
});
