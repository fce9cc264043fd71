import type { ClientView } from '../context/mcp-context.interface.js';

/** A client about which nothing is known or stored yet. */
export const UNKNOWN_CLIENT: ClientView = Object.freeze({ capabilities: Object.freeze({}) });
