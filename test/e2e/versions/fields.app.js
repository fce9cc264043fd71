var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Complete, McpModule, Prompt, Resource, ResourceTemplate, Tool, } from 'nestjs-mcp';
const LISTED = {
    title: 'A title',
    description: 'A description',
    icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
    _meta: { 'example.com/shelf': 3 },
};
const ANNOTATIONS = { priority: 1, lastModified: '2025-01-12T15:00:58Z' };
const COUNT = { type: 'object', properties: { open: { type: 'number' } }, required: ['open'] };
/** Handlers that use everything any revision defines. */
let RichHandlers = class RichHandlers {
    structured(_, context) {
        context.progress(1, 2, 'half done');
        return { open: 3 };
    }
    anyValue() {
        return { content: [{ type: 'text', text: '[1,2]' }], structuredContent: [1, 2] };
    }
    content() {
        return [
            { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
            { type: 'resource_link', uri: 'desk://a', ...LISTED, name: 'a' },
            { type: 'text', text: 'noted', annotations: ANNOTATIONS, _meta: LISTED._meta },
        ];
    }
    resource() {
        return 'text';
    }
    template() {
        return 'text';
    }
    prompt() {
        return 'text';
    }
    tones() {
        return ['calm'];
    }
};
__decorate([
    Tool({ ...LISTED, annotations: { readOnlyHint: true }, outputSchema: COUNT }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", void 0)
], RichHandlers.prototype, "structured", null);
__decorate([
    Tool({ description: 'Gives any value' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], RichHandlers.prototype, "anyValue", null);
__decorate([
    Tool({ description: 'Gives a sound and a link' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Array)
], RichHandlers.prototype, "content", null);
__decorate([
    Resource({ ...LISTED, uri: 'desk://a', annotations: ANNOTATIONS }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], RichHandlers.prototype, "resource", null);
__decorate([
    ResourceTemplate({ ...LISTED, uriTemplate: 'desk://a/{id}', annotations: ANNOTATIONS }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], RichHandlers.prototype, "template", null);
__decorate([
    Prompt({ ...LISTED, arguments: [{ name: 'tone', title: 'Tone', description: 'How it sounds' }] }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], RichHandlers.prototype, "prompt", null);
__decorate([
    Complete({ prompt: 'prompt', argument: 'tone' }),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Array)
], RichHandlers.prototype, "tones", null);
RichHandlers = __decorate([
    Injectable()
], RichHandlers);
/** What the application of the field matrix consists of. */
export const richApp = () => ({
    imports: [
        McpModule.forRoot({
            serverInfo: {
                name: 'desk',
                version: '1.0.0',
                title: 'The desk',
                description: 'A help desk',
                websiteUrl: 'https://example.com',
                icons: LISTED.icons,
            },
        }),
    ],
    providers: [RichHandlers],
});
