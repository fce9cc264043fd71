var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, Prompt, Resource, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/boot.js';
import { initialize, perRequest } from '../../support/json-rpc.js';
const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
const BASE64 = BYTES.toString('base64');
const BLOCKS = {
    text: { type: 'text', text: 'plain', annotations: { audience: ['user'], priority: 0.5 } },
    image: { type: 'image', data: BASE64, mimeType: 'image/png' },
    audio: { type: 'audio', data: BASE64, mimeType: 'audio/wav' },
    resource: { type: 'resource', resource: { uri: 'desk://a', mimeType: 'text/plain', text: 'inside' } },
    blob: { type: 'resource', resource: { uri: 'desk://b', mimeType: 'image/png', blob: BASE64 } },
    resource_link: { type: 'resource_link', uri: 'desk://c', name: 'c', mimeType: 'text/plain' },
};
let DeskContent = class DeskContent {
    one({ kind }) {
        return BLOCKS[kind];
    }
    all() {
        return Object.values(BLOCKS);
    }
    none() {
        return [];
    }
    structured() {
        return { open: 3, oldest: { id: 7 } };
    }
    whole() {
        return {
            content: [{ type: 'text', text: 'three' }],
            structuredContent: { open: 3 },
            _meta: { 'example.com/took': 5 },
        };
    }
    picture() {
        return [{ role: 'user', content: BLOCKS['image'] }];
    }
    attachment() {
        return { role: 'assistant', content: BLOCKS['resource'] };
    }
    text() {
        return 'words';
    }
    json() {
        return { open: 3 };
    }
    buffer() {
        return BYTES;
    }
    array() {
        return new Uint8Array(BYTES);
    }
    stream() {
        return Readable.from([BYTES.subarray(0, 2), BYTES.subarray(2)]);
    }
    parts() {
        return {
            contents: [
                { uri: 'desk://parts/1', mimeType: 'text/plain', text: 'one' },
                { uri: 'desk://parts/2', mimeType: 'image/png', blob: BASE64 },
            ],
        };
    }
};
__decorate([
    Tool({
        description: 'Gives one block',
        inputSchema: { type: 'object', properties: { kind: { type: 'string' } } },
    }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "one", null);
__decorate([
    Tool({ description: 'Gives all blocks' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "all", null);
__decorate([
    Tool({ description: 'Gives no block' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "none", null);
__decorate([
    Tool({ description: 'Gives a plain object' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "structured", null);
__decorate([
    Tool({ description: 'Gives a whole result' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "whole", null);
__decorate([
    Prompt(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "picture", null);
__decorate([
    Prompt(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "attachment", null);
__decorate([
    Resource({ uri: 'desk://text' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "text", null);
__decorate([
    Resource({ uri: 'desk://json' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "json", null);
__decorate([
    Resource({ uri: 'desk://buffer', mimeType: 'image/png' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "buffer", null);
__decorate([
    Resource({ uri: 'desk://array', mimeType: 'image/png' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "array", null);
__decorate([
    Resource({ uri: 'desk://stream', mimeType: 'application/octet-stream' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "stream", null);
__decorate([
    Resource({ uri: 'desk://parts' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], DeskContent.prototype, "parts", null);
DeskContent = __decorate([
    Injectable()
], DeskContent);
describe.each(ADAPTERS)('content on %s', (adapter) => {
    let desk;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
            providers: [DeskContent],
        });
    });
    afterAll(() => desk.close());
    /** Asks on both wires and gives the two results. */
    async function ask(method, params) {
        const session = await initialize(desk.url);
        const answers = [
            await session.request(method, params),
            await perRequest(desk.url).request(method, params),
        ];
        return answers.map(({ result }) => result);
    }
    it.each(Object.keys(BLOCKS))('gives a block of kind %s as it is (CORE-06)', async (kind) => {
        for (const result of await ask('tools/call', { name: 'one', arguments: { kind } })) {
            expect(result?.['content']).toEqual([BLOCKS[kind]]);
        }
    });
    it('gives several blocks in order (CORE-06)', async () => {
        for (const result of await ask('tools/call', { name: 'all' })) {
            expect(result?.['content']).toEqual(Object.values(BLOCKS));
        }
    });
    it('gives an empty array where a tool has no block (CORE-06)', async () => {
        for (const result of await ask('tools/call', { name: 'none' })) {
            expect(result?.['content']).toEqual([]);
        }
    });
    it('gives a plain object as structured content and as JSON text (CORE-06)', async () => {
        const value = { open: 3, oldest: { id: 7 } };
        for (const result of await ask('tools/call', { name: 'structured' })) {
            expect(result?.['structuredContent']).toEqual(value);
            expect(result?.['content']).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
        }
    });
    it('gives a whole result as it is (CORE-06)', async () => {
        for (const result of await ask('tools/call', { name: 'whole' })) {
            expect(result).toMatchObject({
                content: [{ type: 'text', text: 'three' }],
                structuredContent: { open: 3 },
                _meta: { 'example.com/took': 5 },
            });
        }
    });
    it.each([
        ['picture', { role: 'user', content: BLOCKS['image'] }],
        ['attachment', { role: 'assistant', content: BLOCKS['resource'] }],
    ])('gives the block of the prompt %s (CORE-06)', async (name, message) => {
        for (const result of await ask('prompts/get', { name })) {
            expect(result?.['messages']).toEqual([message]);
        }
    });
    it.each([
        ['desk://text', [{ uri: 'desk://text', mimeType: 'text/plain', text: 'words' }]],
        ['desk://json', [{ uri: 'desk://json', mimeType: 'application/json', text: '{"open":3}' }]],
        ['desk://buffer', [{ uri: 'desk://buffer', mimeType: 'image/png', blob: BASE64 }]],
        ['desk://array', [{ uri: 'desk://array', mimeType: 'image/png', blob: BASE64 }]],
        ['desk://stream', [{ uri: 'desk://stream', mimeType: 'application/octet-stream', blob: BASE64 }]],
        [
            'desk://parts',
            [
                { uri: 'desk://parts/1', mimeType: 'text/plain', text: 'one' },
                { uri: 'desk://parts/2', mimeType: 'image/png', blob: BASE64 },
            ],
        ],
    ])('reads %s as text or as base64 (CORE-06)', async (uri, contents) => {
        for (const result of await ask('resources/read', { uri })) {
            expect(result?.['contents']).toEqual(contents);
        }
    });
});
