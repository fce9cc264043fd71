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
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, Sse } from '@nestjs/common';
import { Subject } from 'rxjs';
import { ANNOUNCE_TOOL, buildResults, LIST_CHANGED } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';
const settings = readSettings();
const results = buildResults(settings.wire, settings.tools);
let BareController = class BareController {
    constructor() {
        this.changes = new Subject();
    }
    answer(message) {
        if (message.params?.name === ANNOUNCE_TOOL.name)
            this.changes.next({ data: LIST_CHANGED });
        return { jsonrpc: '2.0', id: message.id, result: results[message.method] };
    }
    stream() {
        return this.changes.asObservable();
    }
};
__decorate([
    Post(),
    HttpCode(200),
    __param(0, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Object)
], BareController.prototype, "answer", null);
__decorate([
    Sse(),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Function)
], BareController.prototype, "stream", null);
BareController = __decorate([
    Controller('mcp')
], BareController);
let BareModule = class BareModule {
};
BareModule = __decorate([
    Module({ controllers: [BareController] })
], BareModule);
await serveNest(BareModule, settings.variant);
