import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type ClientProxy, ClientProxyFactory, Transport } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';

/** Asks the microservice for a tax, here that of the application itself. */
@Injectable()
export class TaxClient implements OnModuleDestroy {
  private readonly client: ClientProxy = ClientProxyFactory.create({
    transport: Transport.TCP,
    options: { host: '127.0.0.1', port: Number(process.env.TCP_PORT ?? 3301) },
  });

  ask(net: number): Promise<number> {
    return firstValueFrom(this.client.send<number>('tax', { net }));
  }

  onModuleDestroy() {
    this.client.close();
  }
}
