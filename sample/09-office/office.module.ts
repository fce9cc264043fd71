import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { CartTools } from './office/cart.tools.js';
import { ReportTools } from './office/report.tools.js';

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'office', title: 'Office', version: '1.0.0' },
      catalog: { search: { pinned: ['hours'] } },
    }),
    // The same providers, seen from another door.
    McpModule.forRoot({
      server: 'admin',
      mcpPath: '/admin/mcp',
      serverInfo: { name: 'office-admin', title: 'Office, for its administrators', version: '1.0.0' },
    }),
    McpModule.forFeature({ server: 'admin', includeTags: ['admin'] }),
  ],
  providers: [ReportTools, CartTools],
})
export class OfficeModule {}
