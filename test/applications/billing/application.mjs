/** A hybrid of HTTP and a microservice over TCP, whose providers are made for each request and serve the tenant of that alone. */
import { findFreePort } from '../../install/call-tool.mjs';

const acme = { 'x-tenant': 'acme' };
const globex = { 'x-tenant': 'globex' };
const tcpPort = await findFreePort();
const write = (net) => ({ path: '/invoices', method: 'POST', headers: globex, body: { net } });

export default {
  checks: ['build', 'test'],
  start: ['dist/main'],
  environment: (port) => ({ PORT: String(port), TCP_PORT: String(tcpPort) }),
  initSays: [/127\.0\.0\.1:3300\/mcp/],
  routeTools: {
    list_invoices: 'invoices_list',
    get_invoice: 'invoices_get',
    write_invoice: 'invoices_write',
  },
  calls: [
    { tool: 'list_invoices', route: { path: '/invoices', headers: acme } },
    { tool: 'list_invoices', route: { path: '/invoices', headers: globex } },
    { tool: 'list_invoices', route: { path: '/invoices' } },
    { tool: 'get_invoice', arguments: { number: 1 }, route: { path: '/invoices/1', headers: acme } },
    { tool: 'get_invoice', arguments: { number: 1 }, route: { path: '/invoices/1', headers: globex } },
    { tool: 'write_invoice', arguments: { net: 100 }, route: write(100), differs: ['number'], isOnce: true },
    { tool: 'sum_invoices', headers: acme, matches: /"tenant":"acme","net":100/ },
  ],
};
