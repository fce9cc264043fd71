import type { Wire } from './wire.js';

/** A server that is measured: a program in `servers/`, how it is to be started, and what it can do. */
export interface Subject {
  id: string;
  label: string;
  program: string;
  variant?: string;
  wires: Wire[];
  /** Whether it sends notifications on GET streams. */
  streams: boolean;
}

const BOTH: Wire[] = ['handshake', 'perRequest'];

export const BARE_HTTP = 'bare-http';
export const REFERENCE = 'bare-nest-express';
export const REFERENCE_ON_FASTIFY = 'bare-nest-fastify';
export const OURS = 'nestjs-mcp-express';
export const OURS_ON_FASTIFY = 'nestjs-mcp-fastify';

export const MCP_NEST = ['mcp-nest', 'mcp-nest-sessions'];
export const SDK = ['sdk-v1', 'sdk-v2'];
/** The same, as {@link SDK_ALONE} has it. */
export const SDK_ON_NODE = ['sdk-v1-alone', 'sdk-v2-alone'];
export const FASTMCP = ['fastmcp', 'fastmcp-stateless'];
export const PEERS = [...MCP_NEST, ...SDK, ...FASTMCP];

export const SUBJECTS: Subject[] = [
  { id: BARE_HTTP, label: 'bare node:http', program: 'bare-http', wires: BOTH, streams: true },
  {
    id: REFERENCE,
    label: 'bare Nest on Express',
    program: 'bare-nest',
    variant: 'express',
    wires: BOTH,
    streams: true,
  },
  {
    id: REFERENCE_ON_FASTIFY,
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
    id: OURS_ON_FASTIFY,
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
  {
    id: 'sdk-v1',
    label: 'official SDK v1 on Express',
    program: 'sdk-v1',
    wires: ['handshake'],
    streams: true,
  },
  { id: 'sdk-v2', label: 'official SDK v2 on Express', program: 'sdk-v2', wires: BOTH, streams: true },
  { id: 'fastmcp', label: 'fastmcp', program: 'fastmcp', wires: ['handshake'], streams: true },
  {
    id: 'fastmcp-stateless',
    label: 'fastmcp, stateless',
    program: 'fastmcp',
    variant: 'stateless',
    wires: ['handshake'],
    streams: false,
  },
];

/** The official SDK without the Express application that its documentation puts before it. */
export const SDK_ALONE: Subject[] = [
  {
    id: 'sdk-v1-alone',
    label: 'official SDK v1 on node:http',
    program: 'sdk-v1',
    variant: 'alone',
    wires: ['handshake'],
    streams: true,
  },
  {
    id: 'sdk-v2-alone',
    label: 'official SDK v2 on node:http',
    program: 'sdk-v2',
    variant: 'alone',
    wires: BOTH,
    streams: true,
  },
];

/** What writes bytes which are there already, and has streams behind which nothing stands. */
export const RAW_SUBJECTS: Subject[] = [
  {
    id: formatRawId(BARE_HTTP),
    label: 'bare node:http, raw',
    program: 'bare-http',
    variant: 'raw',
    wires: BOTH,
    streams: true,
  },
  {
    id: formatRawId(REFERENCE),
    label: 'bare Nest on Express, raw',
    program: 'bare-nest-raw',
    variant: 'express',
    wires: BOTH,
    streams: true,
  },
  {
    id: formatRawId(REFERENCE_ON_FASTIFY),
    label: 'bare Nest on Fastify, raw',
    program: 'bare-nest-raw',
    variant: 'fastify',
    wires: BOTH,
    streams: true,
  },
];

/** The app that has everything but the module. */
export const WITHOUT_MCP = 'nest-without-mcp';

/** Gives the id of the raw kind of a bare controller. */
export function formatRawId(rowId: string): string {
  return `${rowId}/raw`;
}

/**
 * Finds a subject that is known to be there.
 *
 * @throws Error if it is not
 */
export function getSubject(id: string): Subject {
  const subject = SUBJECTS.find((candidate) => candidate.id === id);
  if (!subject) throw new Error(`There is no subject "${id}"`);
  return subject;
}
