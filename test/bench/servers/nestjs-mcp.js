var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable, Module } from '@nestjs/common';
import { McpModule, McpNotifier, Tool } from 'nestjs-mcp';
import { declareMethod } from './declare-method.js';
import { ANNOUNCE_TOOL, buildToolDescriptions, searchArguments, searchTickets, SERVER_INFO, } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';
const settings = readSettings();
let AnnouncingTools = class AnnouncingTools {
    constructor(notifier) {
        this.notifier = notifier;
    }
    announce() {
        this.notifier.toolsListChanged();
        return 'announced';
    }
};
__decorate([
    Tool(ANNOUNCE_TOOL),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", String)
], AnnouncingTools.prototype, "announce", null);
AnnouncingTools = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [McpNotifier])
], AnnouncingTools);
let BenchModule = class BenchModule {
};
BenchModule = __decorate([
    Module({
        imports: [McpModule.forRoot({ serverInfo: SERVER_INFO })],
        providers: [declareTools(settings.tools), ...(settings.announces ? [AnnouncingTools] : [])],
    })
], BenchModule);
await serveNest(BenchModule, settings.variant);
function declareTools(count) {
    class BenchTools {
    }
    for (const tool of buildToolDescriptions(count)) {
        declareMethod(BenchTools, tool.name, {
            handler: searchTickets,
            decorators: [Tool({ ...tool, inputSchema: searchArguments })],
        });
    }
    Injectable()(BenchTools);
    return BenchTools;
}
