var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { McpController, McpStrategy, StreamableHttpTransport, Tool, } from '@rekog/mcp-nest';
import { declareMethod } from './declare-method.js';
import { ANNOUNCE_TOOL, buildToolDescriptions, searchArguments, searchTickets, SERVER_INFO, } from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { readSettings } from './serve.js';
const settings = readSettings();
const servers = new Set();
// It has no call of its own that reaches the streams of its sessions, so the application remembers their servers.
const strategy = new McpStrategy({
    ...SERVER_INFO,
    logging: false,
    transports: [
        settings.variant === 'sessions'
            ? new StreamableHttpTransport({ statefulMode: true, enableJsonResponse: true })
            : new StreamableHttpTransport(),
    ],
    ...(settings.announces ? { serverMutator: rememberServer } : {}),
});
let BenchModule = class BenchModule {
};
BenchModule = __decorate([
    Module({ controllers: [declareTools(settings)] })
], BenchModule);
await serveNest(BenchModule, 'express', async (app) => {
    strategy.setHttpAdapter(app.getHttpAdapter());
    app.connectMicroservice({ strategy });
    await app.startAllMicroservices();
});
function declareTools({ tools, announces }) {
    class BenchTools {
    }
    for (const tool of buildToolDescriptions(tools)) {
        declareMethod(BenchTools, tool.name, {
            handler: searchTickets,
            decorators: [Tool({ ...tool, parameters: searchArguments })],
            firstParameter: Payload(),
        });
    }
    if (announces) {
        declareMethod(BenchTools, ANNOUNCE_TOOL.name, {
            handler: announce,
            decorators: [Tool({ ...ANNOUNCE_TOOL })],
            firstParameter: Payload(),
        });
    }
    McpController()(BenchTools);
    return BenchTools;
}
function rememberServer(server) {
    servers.add(server);
    server.server.onclose = () => servers.delete(server);
    return server;
}
function announce() {
    for (const server of servers)
        server.sendToolListChanged();
    return { content: [{ type: 'text', text: 'announced' }] };
}
