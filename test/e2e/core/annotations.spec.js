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
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/json-rpc.js';
const TOOL_ANNOTATIONS = {
    title: 'Close',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
};
const ANNOTATIONS = {
    audience: ['user', 'assistant'],
    priority: 0.25,
    lastModified: '2025-01-12T15:00:58Z',
};
let AnnotatedHandlers = class AnnotatedHandlers {
    stable() {
        return 'closed';
    }
    experimental() {
        return 'merged';
    }
    stableResource() {
        return 'text';
    }
    experimentalResource() {
        return 'text';
    }
    stableTemplate() {
        return 'text';
    }
    experimentalTemplate() {
        return 'text';
    }
    stablePrompt() {
        return 'text';
    }
    experimentalPrompt() {
        return 'text';
    }
};
__decorate([
    Tool({ description: 'Closes', annotations: TOOL_ANNOTATIONS }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "stable", null);
__decorate([
    Tool({ description: 'Merges', annotations: { experimental: true } }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "experimental", null);
__decorate([
    Resource({ uri: 'desk://stable', annotations: ANNOTATIONS }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "stableResource", null);
__decorate([
    Resource({ uri: 'desk://experimental', annotations: { experimental: true } }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "experimentalResource", null);
__decorate([
    ResourceTemplate({ uriTemplate: 'desk://stable/{id}', annotations: ANNOTATIONS }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "stableTemplate", null);
__decorate([
    ResourceTemplate({ uriTemplate: 'desk://experimental/{id}', annotations: { experimental: true } }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "experimentalTemplate", null);
__decorate([
    Prompt({ annotations: ANNOTATIONS }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "stablePrompt", null);
__decorate([
    Prompt({ annotations: { experimental: true } }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnotatedHandlers.prototype, "experimentalPrompt", null);
AnnotatedHandlers = __decorate([
    Injectable()
], AnnotatedHandlers);
const LISTS = [
    ['tools/list', 'tools', TOOL_ANNOTATIONS],
    ['resources/list', 'resources', ANNOTATIONS],
    ['resources/templates/list', 'resourceTemplates', ANNOTATIONS],
    ['prompts/list', 'prompts', ANNOTATIONS],
];
describe.each(ADAPTERS)('annotations on %s', (adapter) => {
    let desk;
    beforeAll(async () => {
        desk = await bootApp({
            adapter,
            imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
            providers: [AnnotatedHandlers],
        });
    });
    afterAll(() => desk.close());
    it.each(LISTS)('appear in %s of the newest revisions (CORE-07)', async (method, member, annotations) => {
        const session = await initialize(desk.url);
        const answers = [await session.request(method), await perRequest(desk.url).request(method)];
        for (const { result } of answers) {
            const [stable] = result?.[member];
            expect(stable?.['annotations']).toEqual(annotations);
        }
    });
    it.each(LISTS)('mark an entry of %s as experimental in every revision (CORE-07)', async (method, member) => {
        const clients = await Promise.all(HANDSHAKE_VERSIONS.map((version) => initialize(desk.url, { version })));
        for (const client of [...clients, perRequest(desk.url)]) {
            const { result } = await client.request(method);
            const [stable, experimental] = result?.[member];
            expect(experimental?.['annotations']).toEqual({ experimental: true });
            expect(stable?.['annotations'] ?? {}).not.toHaveProperty('experimental');
        }
    });
});
