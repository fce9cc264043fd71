import {} from './wire.js';
const BOTH = ['handshake', 'perRequest'];
export const REFERENCE = 'bare-nest-express';
export const OURS = 'nestjs-mcp-express';
export const PEERS = ['mcp-nest', 'mcp-nest-sessions'];
export const SUBJECTS = [
    { id: 'bare-http', label: 'bare node:http', program: 'bare-http', wires: BOTH, streams: true },
    {
        id: REFERENCE,
        label: 'bare Nest on Express',
        program: 'bare-nest',
        variant: 'express',
        wires: BOTH,
        streams: true,
    },
    {
        id: 'bare-nest-fastify',
        label: 'bare Nest on Fastify',
        program: 'bare-nest',
        variant: 'fastify',
        wires: BOTH,
        streams: true,
    },
    {
        id: OURS,
        label: 'nestjs-mcp on Express',
        program: 'nestjs-mcp',
        variant: 'express',
        wires: BOTH,
        streams: true,
    },
    {
        id: 'nestjs-mcp-fastify',
        label: 'nestjs-mcp on Fastify',
        program: 'nestjs-mcp',
        variant: 'fastify',
        wires: BOTH,
        streams: true,
    },
    { id: 'mcp-nest', label: '@rekog/mcp-nest', program: 'mcp-nest', wires: BOTH, streams: false },
    {
        id: 'mcp-nest-sessions',
        label: '@rekog/mcp-nest, sessions',
        program: 'mcp-nest',
        variant: 'sessions',
        wires: ['handshake'],
        streams: true,
    },
    { id: 'sdk-v1', label: 'official SDK v1', program: 'sdk-v1', wires: ['handshake'], streams: true },
    { id: 'sdk-v2', label: 'official SDK v2', program: 'sdk-v2', wires: BOTH, streams: true },
];
