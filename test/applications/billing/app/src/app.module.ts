import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { InvoicesController } from './invoices/invoices.controller';
import { InvoicesService } from './invoices/invoices.service';
import { TaxClient } from './invoices/tax.client';
import { TaxController } from './invoices/tax.controller';
import { Ledgers } from './tenants/ledgers';
import { Tenant } from './tenants/tenant';
import { TenantMiddleware } from './tenants/tenant.middleware';

@Module({
  controllers: [InvoicesController, TaxController],
  providers: [Ledgers, Tenant, InvoicesService, TaxClient],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(TenantMiddleware).forRoutes('*path');
  }
}
