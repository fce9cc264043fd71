import { Controller } from '@nestjs/common';
import { MessagePattern, Payload, RpcException } from '@nestjs/microservices';

@Controller()
export class TaxController {
  @MessagePattern('tax')
  tax(@Payload() { net }: { net: number }): number {
    if (net > 10_000) throw new RpcException('Invoices of this size are written by hand');
    return Math.round(net * 0.19);
  }
}
