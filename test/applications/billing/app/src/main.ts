import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';
import { AppModule } from './app.module';

const HTTP_PORT = 3300;

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.connectMicroservice(
    { transport: Transport.TCP, options: { host: '127.0.0.1', port: Number(process.env.TCP_PORT ?? 3301) } },
    { inheritAppConfig: true },
  );
  app.enableShutdownHooks();
  await app.startAllMicroservices();
  await app.listen(Number(process.env.PORT ?? HTTP_PORT));
}
void bootstrap();
