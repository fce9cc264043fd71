import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { allowUnauthenticatedAccess } from './jwt.guard';

export const transport = new StreamableHttpTransport();

export const strategy = new McpStrategy({
  name: 'records',
  version: '1.0.0',
  transports: [transport],
  allowUnauthenticatedAccess,
});
