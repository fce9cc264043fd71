import type { Traits } from '../../support/fixture-endpoint.js';
import { answer, type PlantedFault } from './faults.js';

/** Declares tools, and answers each request for the list of them with this. */
function answerList(outcome: object): Traits {
  return {
    tools: [],
    takeOver: ({ rpc, message }, response) => {
      if (rpc !== 'tools/list') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...outcome }));
      return true;
    },
  };
}

/** Faults of what a client keeps reading: lists without an end, and a stream that is elsewhere. */
export const READING_FAULTS: readonly PlantedFault[] = [
  {
    what: 'a list that begins again and again',
    ids: ['catalog'],
    traits: answerList({ result: { tools: [], nextCursor: 'again' } }),
  },
  {
    what: 'a list that is declared and not served',
    ids: ['catalog'],
    traits: answerList({ error: { code: -32601, message: 'Method not found' } }),
  },
  {
    what: 'a stream that is elsewhere',
    ids: ['stream'],
    traits: answer(({ method, path }) => method === 'GET' && path === '/mcp', 302, {
      location: '/elsewhere',
    }),
  },
];
