import { Module } from '@nestjs/common';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';

export const loans = new McpStrategy({
  name: 'loans',
  version: '1.0.0',
  server: 'loans',
  transports: [new StreamableHttpTransport({ endpoint: '/loans/mcp' })],
});

@McpController({ server: 'loans' })
export class LoansController {
  @Tool({ name: 'list-loans', description: 'Lists what is lent' })
  listLoans() {
    return { content: [{ type: 'text', text: 'Nothing' }] };
  }
}

@Module({ controllers: [LoansController] })
export class LoansModule {}
