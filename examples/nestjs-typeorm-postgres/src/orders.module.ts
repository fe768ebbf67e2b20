// Orders over HTTP: 64-bit keys in the table, external IDs in URLs and JSON, and 404 for links that were made up.
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  type OnApplicationShutdown,
  Param,
  type PipeTransform,
  Post,
  Res,
} from '@nestjs/common';
import { type ExternalIdCodec, KazahanaClient } from 'kazahana';
import { DataSource } from 'typeorm';
import { connect, Order } from './database.ts';
import { IdsModule, ORDER_IDS } from './ids.module.ts';

/** Turns what stands in the URL into an ID; what cannot be one is "not found". */
@Injectable()
class OrderIdPipe implements PipeTransform<string, bigint> {
  readonly #codec: ExternalIdCodec;

  constructor(@Inject(ORDER_IDS) codec: ExternalIdCodec) {
    this.#codec = codec;
  }

  transform(text: string): bigint {
    const id = this.#codec.parse(text);
    if (id === undefined) throw new NotFoundException('there is no such order');
    return id;
  }
}

@Controller('orders')
class OrdersController {
  readonly #client: KazahanaClient;
  readonly #codec: ExternalIdCodec;
  readonly #database: DataSource;

  constructor(
    @Inject(KazahanaClient) client: KazahanaClient,
    @Inject(ORDER_IDS) codec: ExternalIdCodec,
    @Inject(DataSource) database: DataSource,
  ) {
    this.#client = client;
    this.#codec = codec;
    this.#database = database;
  }

  @Post()
  async create(
    @Body() body: { what?: unknown } | undefined,
    @Res({ passthrough: true }) response: { location(url: string): unknown },
  ) {
    const what = body?.what;
    if (typeof what !== 'string' || what === '') throw new BadRequestException('what must be a text');
    const order = { id: await this.#client.nextId(), what };
    await this.#database.getRepository(Order).insert(order);
    const shown = this.#toJson(order);
    response.location(`/orders/${shown.id}`);
    return shown;
  }

  @Get(':id')
  async find(@Param('id', OrderIdPipe) id: bigint) {
    const order = await this.#database.getRepository(Order).findOneBy({ id });
    if (order === null) throw new NotFoundException('there is no such order');
    return this.#toJson(order);
  }

  /** JSON.stringify throws for a bigint: this says what leaves the program. */
  #toJson({ id, what }: Order) {
    return { id: this.#codec.toExternalId(id), what };
  }
}

@Module({
  imports: [IdsModule],
  controllers: [OrdersController],
  providers: [{ provide: DataSource, useFactory: () => connect(process.env.DATABASE_URL) }],
})
export class OrdersModule implements OnApplicationShutdown {
  readonly #database: DataSource;

  constructor(@Inject(DataSource) database: DataSource) {
    this.#database = database;
  }

  onApplicationShutdown(): Promise<void> {
    return this.#database.destroy();
  }
}
