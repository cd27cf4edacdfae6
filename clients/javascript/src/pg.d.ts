export interface TypeParsers {
    setTypeParser(oid: number, format: 'text' | 'binary', parser: (value: any) => any): void;
    getTypeParser(oid: number, format: 'text'): (value: any) => any;
}

export interface Queryable {
    query(text: string): Promise<{ rows: any[] }>;
}

/**
 * Let a client of node-postgres give filters as BloomFilter and CountingBloomFilter, in
 * text and binary, and arrays in text.
 * For a pool give the types that its clients use, too: `registerBloomFilter(pool, pg.types)`.
 */
export function registerBloomFilter(client: Queryable & TypeParsers): Promise<void>;
export function registerBloomFilter(client: Queryable, types: TypeParsers): Promise<void>;
