import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { loans } from './loans.module';
import { mcp } from './server.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  mcp.setHttpAdapter(app.getHttpAdapter());
  loans.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy: mcp });
  app.connectMicroservice({ strategy: loans });
  await app.startAllMicroservices();
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
