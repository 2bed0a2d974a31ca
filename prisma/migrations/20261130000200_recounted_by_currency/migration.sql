-- Adds the counters with a currency and a sum, and takes away those without. Writers are not held up meanwhile.
SELECT receipt_recount();
