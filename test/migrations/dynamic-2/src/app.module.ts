import { Module } from '@nestjs/common';
import { BooksController } from './books.controller';
import { ExternalModule } from './external.module';
import { LoansModule } from './loans.module';
import { PluginsService } from './plugins.service';
import { ServerModule } from './server.module';

@Module({
  imports: [ServerModule, ExternalModule, LoansModule],
  controllers: [BooksController],
  providers: [PluginsService],
})
export class AppModule {}
