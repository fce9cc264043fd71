import {
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  ClassSerializerInterceptor,
  ConflictException,
  Controller,
  DefaultValuePipe,
  Delete,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  HttpCode,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
  Put,
  Query,
  Req,
  SerializeOptions,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { map } from 'rxjs';
import { McpControllersModule, ToolController } from 'nestjs-mcp/controllers';
import type { AdapterName, RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Article, Buyer, Color, NewArticle, Page } from './shop.dto.js';

const Roles = (...roles: readonly string[]) => SetMetadata('roles', roles);

interface ShopRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly ip?: string;
  user?: { readonly name: string; readonly roles: readonly string[] };
}

/** Recognizes callers by a header, as a gateway in front of the application sets it. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    const request = context.switchToHttp().getRequest<ShopRequest>();
    const name = request.headers['authorization']?.replace('Bearer ', '') ?? 'nobody';
    request.user = { name, roles: name === 'ada' ? ['staff'] : [] };
    return roles === undefined || roles.some((role) => request.user?.roles.includes(role));
  }
}

@Injectable()
class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

@ApiTags('articles')
@ToolController({
  prefix: 'article_',
  routes: {
    create: true,
    replace: true,
    change: { description: 'Change the price of an article' },
    remove: true,
    addTags: true,
    hidden: false,
  },
  headers: ['X-Currency'],
})
@UseGuards(RolesGuard)
@UseInterceptors(ClassSerializerInterceptor)
@Controller('articles')
class ArticlesController {
  @Get()
  @ApiOperation({
    operationId: 'list',
    summary: 'List articles',
    description: 'Lists a page of the articles in stock.',
  })
  @ApiResponse({ status: 200, type: Article, isArray: true })
  list(@Query() { page, words }: Page) {
    return [new Article({ id: page, name: words ?? 'Boots' })];
  }

  @Get('hidden')
  hidden() {
    return 'the safe is behind the picture';
  }

  @Get('colors/:color')
  @ApiParam({ name: 'color', description: 'The color' })
  ofColor(
    @Param('color', new ParseEnumPipe(Color)) color: Color,
    @Query('limit', new DefaultValuePipe(10), ParseIntPipe) limit: number,
    @Query('cheap', new ParseBoolPipe({ optional: true })) cheap?: boolean,
    @Query('ids', new ParseArrayPipe({ items: Number, optional: true })) ids?: number[],
  ) {
    return { color, limit, cheap: cheap ?? null, ids: ids ?? null, types: [typeof limit, typeof cheap] };
  }

  @Get('batches/:batch')
  batch(@Param('batch', ParseUUIDPipe) batch: string) {
    return { batch };
  }

  @Get('staff')
  @Roles('staff')
  @SerializeOptions({ groups: ['staff'] })
  staff() {
    return new Article({ id: 1, name: 'Boots' });
  }

  @Get('me')
  me(@Req() request: ShopRequest) {
    return { name: request.user?.name, ip: request.ip };
  }

  @Get('price')
  @ApiHeader({ name: 'X-Currency', required: false })
  @ApiQuery({ name: 'amount', type: Number, description: 'The amount in euros' })
  price(
    @Headers('x-currency') currency: string | undefined,
    @Headers('x-tenant') tenant: string | undefined,
    @Query('amount', ParseIntPipe) amount: number,
  ) {
    return `${amount} ${currency ?? 'EUR'} for ${tenant ?? 'nobody'}`;
  }

  @Get('wrapped')
  @Header('Content-Type', 'application/problem+json')
  @UseInterceptors(EnvelopeInterceptor)
  wrapped() {
    return { id: 1 };
  }

  @Get('nothing')
  nothing() {
    return null;
  }

  @Get('teapot')
  teapot(): never {
    throw new ConflictException({ message: 'The kettle is empty', errors: { kettle: 'fill it' } });
  }

  @Get('broken')
  broken(): never {
    throw new Error('the password of the database is hunter2');
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number) {
    if (id > 100) throw new NotFoundException(`There is no article ${id}`);
    return new Article({ id, name: 'Boots' });
  }

  @Post()
  @HttpCode(202)
  create(@Body() article: NewArticle) {
    return { ...article, isNewArticle: article instanceof NewArticle };
  }

  @Put(':id')
  replace(@Param('id', ParseIntPipe) id: number, @Body() article: NewArticle) {
    return { id, article };
  }

  @Patch(':id')
  change(@Param('id', ParseIntPipe) id: number, @Body('price') price: unknown, @Body('id') given: unknown) {
    if (typeof price !== 'number') throw new BadRequestException('price must be a number');
    return { id, price, given };
  }

  @Post(':id/tags')
  addTags(@Param('id') id: string, @Body(new ParseArrayPipe({ items: String })) tags: string[]) {
    return { id, tags };
  }

  @Delete(':id')
  @HttpCode(204)
  @Roles('staff')
  remove(@Param('id', ParseIntPipe) _id: number) {
    return undefined;
  }
}

@ToolController({ routes: { order: true } })
@Controller('orders')
class OrdersController {
  @Post(':article')
  order(@Param('article') article: string, @Query('gift') gift: string | undefined, @Body() buyer: Buyer) {
    return { article, gift: gift ?? null, buyer };
  }
}

/** Starts the shop, whose routes are tools. */
export function bootShop(adapter: AdapterName): Promise<RunningApp> {
  return bootServer({
    adapter,
    imports: [McpControllersModule.forRoot()],
    controllers: [ArticlesController, OrdersController],
    configure: (app) => {
      app.useGlobalPipes(
        new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
      );
      app.setGlobalPrefix('api');
    },
  });
}
