import type { OutgoingHttpHeaders } from 'node:http';
import type { Forger } from '../../../support/authorization/forger.js';

/** What an attacker sends: a token where it belongs, or anything else in any place. */
export type Sent =
  | string
  | { readonly headers: OutgoingHttpHeaders }
  /** Lines of a head as they go over the wire, each with its end. */
  | { readonly lines: string }
  | { readonly query: string }
  /** Further members of the JSON-RPC request. */
  | { readonly members: object }
  /** The whole body, of another type. */
  | { readonly form: string };

/** An attack: its name, and what is sent. */
export type Attack = readonly [name: string, send: (forger: Forger) => Sent | Promise<Sent>];
