import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Patch,
  Post,
  Query,
  Req,
  SerializeOptions,
} from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { NeedsRole } from '../auth/roles.guard';
import { ApiPaged } from '../paging/api-paged.decorator';
import { ProblemDto } from '../problem.filter';
import { CreateCustomerDto, CustomerDto, ListCustomersDto, UpdateCustomerDto } from './customer.dto';
import { CustomersService } from './customers.service';

const ApiCustomerId = () =>
  ApiParam({
    name: 'id',
    format: 'uuid',
    description: 'ID of the customer',
    example: '5b0f9a52-5f0f-4c4e-9d59-3c1a7c1d2e01',
  });

@ApiTags('customers')
@ApiBearerAuth()
@ApiHeader({ name: 'X-Locale', enum: ['en', 'de'], required: false, description: 'Language of greetings' })
@ApiBadRequestResponse({ type: ProblemDto })
@ApiUnauthorizedResponse({ type: ProblemDto })
@Controller('customers')
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get()
  @ApiOperation({ operationId: 'listCustomers', summary: 'List customers' })
  @ApiPaged(CustomerDto)
  list(@Query() query: ListCustomersDto) {
    return this.customers.list(query);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getCustomer', summary: 'Get a customer' })
  @ApiCustomerId()
  @ApiOkResponse({ type: CustomerDto })
  @ApiNotFoundResponse({ type: ProblemDto })
  get(@Param('id', ParseUUIDPipe) id: string): CustomerDto {
    return this.customers.get(id);
  }

  @Get(':id/credit')
  @NeedsRole('admin')
  @SerializeOptions({ groups: ['admin'] })
  @ApiOperation({ operationId: 'getCredit', summary: 'Get a customer with the limit of credit' })
  @ApiCustomerId()
  @ApiOkResponse({ type: CustomerDto })
  getCredit(@Param('id', ParseUUIDPipe) id: string): CustomerDto {
    return this.customers.get(id);
  }

  @Get(':id/greeting')
  @ApiOperation({ operationId: 'greetCustomer', summary: 'Greet a customer' })
  @ApiCustomerId()
  greet(@Param('id', ParseUUIDPipe) id: string, @Req() request: Request): string {
    const { name } = this.customers.get(id);
    return request.headers['x-locale'] === 'de' ? `Guten Tag ${name}` : `Hello ${name}`;
  }

  @Post()
  @ApiOperation({ operationId: 'createCustomer', summary: 'Create a customer' })
  @ApiCreatedResponse({ type: CustomerDto })
  @ApiConflictResponse({ type: ProblemDto })
  create(@Body() customer: CreateCustomerDto): CustomerDto {
    return this.customers.create(customer);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateCustomer',
    summary: 'Change a customer, except for the address of email',
  })
  @ApiCustomerId()
  @ApiOkResponse({ type: CustomerDto })
  update(@Param('id', ParseUUIDPipe) id: string, @Body() changes: UpdateCustomerDto): CustomerDto {
    return this.customers.update(id, changes);
  }

  @Delete(':id')
  @NeedsRole('admin')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteCustomer', summary: 'Delete a customer' })
  @ApiCustomerId()
  @ApiNoContentResponse()
  remove(@Param('id', ParseUUIDPipe) id: string): void {
    this.customers.remove(id);
  }
}
