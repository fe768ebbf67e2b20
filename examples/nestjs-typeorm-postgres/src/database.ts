// The table, and the connection to it.
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';

@Entity('orders')
export class Order {
  // TypeORM reads bigint columns as text. No @PrimaryGeneratedColumn: the program gives the ID.
  @PrimaryColumn('bigint', { transformer: { to: String, from: BigInt } })
  id!: bigint;

  @Column('text')
  what!: string;
}

export function connect(url: string | undefined): Promise<DataSource> {
  // Migrations would make the table in production, not `synchronize`.
  return new DataSource({ type: 'postgres', url, entities: [Order], synchronize: true }).initialize();
}
