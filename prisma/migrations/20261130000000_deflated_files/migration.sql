-- The service deflates files before it stores them: PostgreSQL's own compression takes several times the processor time
-- and more space. Files that are stored already stay as they are.
ALTER TABLE "blobs" ADD COLUMN "is_deflated" boolean NOT NULL DEFAULT false;
ALTER TABLE "blobs" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
-- Most deflated files fit into their row, which is cheaper than a row in a second table.
ALTER TABLE "blobs" SET (toast_tuple_target = 4080);
