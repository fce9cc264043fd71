import { Body, Controller, Get, Param, ParseIntPipe, Post } from '@nestjs/common';
import { InvoicesService } from './invoices.service';

@Controller('invoices')
export class InvoicesController {
  constructor(private readonly invoices: InvoicesService) {}

  @Get()
  list() {
    return this.invoices.list();
  }

  @Get(':number')
  get(@Param('number', ParseIntPipe) number: number) {
    return this.invoices.get(number);
  }

  @Post()
  write(@Body('net', ParseIntPipe) net: number) {
    return this.invoices.write(net);
  }
}
