// Runs the program: DATABASE_URL=postgres://… ORDER_SECRET=… npm start
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { OrdersModule } from './orders.module.ts';

const app = await NestFactory.create(OrdersModule, { logger: ['error', 'warn'] });
// SIGTERM closes the server, then calls the hooks that release the lease and close the connections.
app.enableShutdownHooks();
await app.listen(Number(process.env.PORT ?? '3000'), '127.0.0.1');
console.log(await app.getUrl());
