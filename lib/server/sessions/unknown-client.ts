import type { ClientView } from '../context/mcp-context.interface.js';

/** A client of which nothing is known yet, or kept. */
export const UNKNOWN_CLIENT: ClientView = Object.freeze({ capabilities: Object.freeze({}) });
