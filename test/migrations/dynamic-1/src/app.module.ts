import { Module } from '@nestjs/common';
import { McpModule, McpTransportType } from '@rekog/mcp-nest';
import { CatalogModule } from './catalog.module';
import { LoansModule } from './loans.module';

@Module({
  imports: [
    CatalogModule,
    McpModule.forRoot({
      name: 'loans',
      version: '1.0.0',
      transport: McpTransportType.STREAMABLE_HTTP,
      mcpEndpoint: '/loans/mcp',
    }),
    LoansModule,
  ],
})
export class AppModule {}
