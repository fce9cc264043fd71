import {
  BadRequestException,
  Body,
  Controller,
  DefaultValuePipe,
  Delete,
  Get,
  Header,
  Headers,
  HttpCode,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Query,
  SerializeOptions,
  Version,
} from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiHeader,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Public } from '../auth/public.decorator';
import { NeedsRole } from '../auth/roles.guard';
import { ApiPaged } from '../paging/api-paged.decorator';
import { ProblemDto } from '../problem.filter';
import {
  CancelOrderDto,
  CreateOrderDto,
  LineParamsDto,
  OrderDto,
  OrderLineDto,
  OrderStatus,
  OrderV2Dto,
  SearchOrdersDto,
  UpdateOrderDto,
} from './order.dto';
import { OrdersService } from './orders.service';
import { CardPaymentDto, type PaymentDto, PaymentPipe, TransferPaymentDto } from './payment.dto';

const ApiNumber = () =>
  ApiParam({ name: 'number', type: 'integer', description: 'Number of the order', example: 1 });

@ApiTags('orders')
@ApiBearerAuth()
@ApiBadRequestResponse({ type: ProblemDto })
@ApiNotFoundResponse({ type: ProblemDto })
@ApiExtraModels(CardPaymentDto, TransferPaymentDto)
@Controller({ path: 'orders', version: ['1', '2'] })
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @ApiOperation({ operationId: 'listOrders', summary: 'List orders', description: 'The oldest come first.' })
  @ApiQuery({ name: 'status', enum: OrderStatus, isArray: true, required: false, explode: false })
  @ApiQuery({ name: 'numbers', type: [Number], required: false, explode: false })
  @ApiQuery({ name: 'limit', type: 'integer', required: false, description: 'At most this many' })
  @ApiOkResponse({ type: [OrderDto] })
  list(
    @Query('limit', new DefaultValuePipe(20), ParseIntPipe) limit: number,
    @Query('status', new ParseArrayPipe({ items: String, optional: true })) status?: OrderStatus[],
    @Query('numbers', new ParseArrayPipe({ items: Number, optional: true })) numbers?: number[],
  ): OrderDto[] {
    return this.orders.find(status, numbers, limit);
  }

  @Get('search')
  @ApiOperation({ operationId: 'searchOrders', summary: 'Search orders' })
  @ApiQuery({ type: SearchOrdersDto })
  @ApiQuery({ name: 'numbers', type: [Number], required: false, explode: false, description: 'Two at most' })
  @ApiPaged(OrderDto)
  search(@Query() query: SearchOrdersDto) {
    return this.orders.search(query);
  }

  @Get('health')
  @Public()
  @ApiExcludeEndpoint()
  health() {
    return { isHealthy: true };
  }

  @Get(':number')
  @Version('1')
  @ApiOperation({ operationId: 'getOrder', summary: 'Get an order' })
  @ApiNumber()
  @ApiOkResponse({ type: OrderDto })
  get(@Param('number', ParseIntPipe) number: number): OrderDto {
    return this.orders.get(number);
  }

  @Get(':number')
  @Version('2')
  @ApiOperation({ operationId: 'getOrderV2', summary: 'Get an order with its total' })
  @ApiNumber()
  @ApiOkResponse({ type: OrderV2Dto })
  getV2(@Param('number', ParseIntPipe) number: number): OrderV2Dto {
    return new OrderV2Dto(this.orders.get(number));
  }

  @Get(':number/margin')
  @NeedsRole('admin')
  @SerializeOptions({ groups: ['admin'] })
  @ApiOperation({ operationId: 'getMargin', summary: 'Get an order with its margin' })
  @ApiNumber()
  @ApiOkResponse({ type: OrderDto })
  getMargin(@Param('number', ParseIntPipe) number: number): OrderDto {
    return this.orders.get(number);
  }

  @Get(':number/lines/:line')
  @ApiOperation({ operationId: 'getOrderLine', summary: 'Get a line of an order' })
  @ApiOkResponse({ type: OrderLineDto })
  getLine(@Param() { number, line }: LineParamsDto): OrderLineDto {
    return this.orders.getLine(number, line);
  }

  @Get(':number/note')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @ApiOperation({ operationId: 'getNote', summary: 'Get the delivery note as text' })
  @ApiNumber()
  @ApiProduces('text/plain')
  getNote(@Param('number', ParseIntPipe) number: number): string {
    return this.orders
      .get(number)
      .lines.map(({ article, quantity }) => `${quantity} × ${article}`)
      .join('\n');
  }

  @Post()
  @ApiOperation({ operationId: 'createOrder', summary: 'Place an order' })
  @ApiHeader({ name: 'Idempotency-Key', required: true, description: 'Any text, another one for each order' })
  @ApiCreatedResponse({ type: OrderDto })
  create(@Body() order: CreateOrderDto, @Headers('idempotency-key') key?: string): OrderDto {
    if (key === undefined) throw new BadRequestException('The header Idempotency-Key is required');
    return this.orders.create(order, key);
  }

  @Patch(':number')
  @ApiOperation({ operationId: 'updateOrder', summary: 'Change an order' })
  @ApiNumber()
  @ApiOkResponse({ type: OrderDto })
  update(@Param('number', ParseIntPipe) number: number, @Body() changes: UpdateOrderDto) {
    return this.orders.update(number, changes);
  }

  @Put(':number/payment')
  @ApiOperation({ operationId: 'payOrder', summary: 'Choose how an order is paid' })
  @ApiNumber()
  @ApiBody({
    description: 'A card, or a transfer',
    schema: { oneOf: [{ $ref: getSchemaPath(CardPaymentDto) }, { $ref: getSchemaPath(TransferPaymentDto) }] },
  })
  @ApiOkResponse({ type: OrderDto })
  pay(@Param('number', ParseIntPipe) number: number, @Body(PaymentPipe) payment: PaymentDto): OrderDto {
    return this.orders.pay(number, payment);
  }

  @Post(':number/cancel')
  @HttpCode(200)
  @ApiOperation({ operationId: 'cancelOrder', summary: 'Cancel an order' })
  @ApiNumber()
  @ApiOkResponse({ type: OrderDto })
  cancel(@Param('number', ParseIntPipe) number: number, @Body() given: CancelOrderDto): OrderDto {
    return this.orders.cancel(number, given);
  }

  @Delete(':number')
  @NeedsRole('admin')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteOrder', summary: 'Delete an order' })
  @ApiNumber()
  @ApiNoContentResponse()
  remove(@Param('number', ParseIntPipe) number: number): void {
    this.orders.remove(number);
  }
}
