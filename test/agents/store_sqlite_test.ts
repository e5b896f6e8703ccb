import { describeMessageStore } from "./message_store_contract.ts";
import { openSqliteStore } from "./open_sqlite_store.ts";

describeMessageStore("createSqliteMessageStore()", openSqliteStore);
