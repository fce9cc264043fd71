import { MiddlewareConsumer, Module, NestModule } from '@nestjs/common';
import { McpHttpController } from './mcp-http.controller';
import { JwtGuard } from './jwt.guard';
import { RecordsTools } from './records.tools';

@Module({
  controllers: [McpHttpController, RecordsTools],
  providers: [JwtGuard],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer
      .apply((_request: any, response: any, next: () => void) => {
        response.setHeader('x-served-by', 'clinic');
        next();
      })
      .forRoutes(McpHttpController);
  }
}
