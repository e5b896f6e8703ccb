import { describeMessageStore } from "./message_store_contract.ts";
import { openSqliteStore } from "./store_under_test.ts";

describeMessageStore("createSqliteMessageStore()", openSqliteStore);
