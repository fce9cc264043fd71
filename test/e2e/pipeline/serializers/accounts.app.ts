import {
  ClassSerializerInterceptor,
  Controller,
  Get,
  Injectable,
  SerializeOptions,
  type INestApplication,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { McpTasks, Prompt, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { of } from 'rxjs';

/** What no answer may have in it. */
export const SECRET = '$2b$10$Xo0DyX';

export class Profile {
  constructor(
    readonly city: string,
    phone: string,
  ) {
    this.phone = phone;
  }

  @Exclude()
  readonly phone: string;
}

/** As TypeORM makes it: an instance with members that were assigned later. */
export class Account {
  id = 7;

  @Expose({ name: 'mail' })
  email = 'ada@example.com';

  @Exclude({ toPlainOnly: true })
  password = SECRET;

  @Exclude({ toClassOnly: true })
  createdAt = new Date(0);

  @Expose({ groups: ['admin'] })
  role = 'owner';

  @Transform(({ value }) => `****${String(value).slice(-4)}`, { toPlainOnly: true })
  card = '4111111111111111';

  profile = new Profile('Turin', SECRET);

  @Type(() => Profile)
  column = { city: 'Rome', phone: SECRET };

  @Expose()
  get label() {
    return `account ${this.id}`;
  }
}

/** Shows nothing that is not exposed. */
@Exclude()
export class Visit {
  @Expose()
  page = '/home';

  address = SECRET;
}

export class AccountView {
  @Expose()
  id!: number;

  @Expose()
  email!: string;
}

const plain = { id: 8, email: 'bob@example.com', password: SECRET };

/** The results that a route and a tool give alike. */
export class Accounts {
  readonly one = () => new Account();
  readonly promised = async () => new Account();
  readonly observed = () => of(new Account());
  readonly list = () => [new Account(), new Account()];
  readonly page = () => ({ items: [new Account()], total: 1, visit: new Visit() });
  readonly visit = () => new Visit();
  readonly nothing = () => ({ nothing: null });
}

export const SHAPES = ['one', 'promised', 'observed', 'list', 'page', 'visit', 'nothing'] as const;

@Injectable()
@Controller('accounts')
export class AccountController {
  private readonly accounts = new Accounts();

  @Get('one')
  @Tool()
  one() {
    return this.accounts.one();
  }

  @Get('promised')
  @Tool()
  promised() {
    return this.accounts.promised();
  }

  @Get('observed')
  @Tool()
  observed() {
    return this.accounts.observed();
  }

  @Get('list')
  @Tool()
  list() {
    return this.accounts.list();
  }

  @Get('page')
  @Tool()
  page() {
    return this.accounts.page();
  }

  @Get('visit')
  @Tool()
  visit() {
    return this.accounts.visit();
  }

  @Get('nothing')
  @Tool()
  nothing() {
    return this.accounts.nothing();
  }
}

/** Routes and tools that say how their results are serialized. */
@Controller('described')
@SerializeOptions({ groups: ['admin'] })
export class DescribedController {
  @Get('grouped')
  @Tool()
  grouped() {
    return new Account();
  }

  @Get('typed')
  @Tool()
  @SerializeOptions({ type: AccountView, strategy: 'excludeAll' })
  typed() {
    return plain;
  }

  @Get('typed-list')
  @Tool({ name: 'typed-list' })
  @SerializeOptions({ type: AccountView, excludeExtraneousValues: true })
  typedList() {
    return [plain, plain];
  }
}

/** Handlers that have no route, and give what services give. */
@Injectable()
export class AccountHandlers {
  constructor(private readonly tasks: McpTasks) {}

  @Tool({ name: 'of-provider' })
  tool(_args: object, context: McpContext) {
    context.log('info', { account: new Account() });
    return new Account();
  }

  /** Its result is known only later, if the client can follow a task. */
  @Tool({ name: 'of-task' })
  @SerializeOptions({ type: AccountView, strategy: 'excludeAll' })
  begin(_args: object, context: McpContext) {
    return this.tasks.start(context, () => plain);
  }

  @Tool({ name: 'full-result' })
  full() {
    return { content: [], structuredContent: new Account() };
  }

  @Tool({ name: 'content' })
  content() {
    return { content: [{ type: 'text', text: 'hello' }] };
  }

  @Tool({ name: 'image' })
  image() {
    return { type: 'image', data: new Uint8Array([1, 2, 3]), mimeType: 'image/png' };
  }

  @Resource({ uri: 'desk://account' })
  resource() {
    return new Account();
  }

  @Resource({ uri: 'desk://bytes' })
  bytes() {
    return new Uint8Array([104, 105]);
  }

  @Resource({ uri: 'desk://contents' })
  contents() {
    return { contents: [{ uri: 'desk://contents', blob: new Uint8Array([104, 105]) }] };
  }

  @Prompt()
  greeting() {
    return { messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }] };
  }
}

export const HANDLERS = [AccountHandlers];
export const CONTROLLERS = [AccountController, DescribedController];

/** As Nest's page on serialization has it. */
export function useSerializer(app: INestApplication, options = {}): void {
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector), options));
}
