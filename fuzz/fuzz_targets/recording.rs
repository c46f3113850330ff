//! Any bytes as a list of what a kernel said: as they are, and as the records of a list of this machine. Samples decode or do not,
//! and what is taken in makes no connection without end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_watch::{KernelWitness, LiveHost};
use tcpwhy_live::recording::{ListWriter, Record, Records};

fn take(list: &[u8]) {
    let Ok(records) = Records::of(list) else { return };
    let mut host = LiveHost::with_intervals();
    for record in records {
        match record {
            Record::Sample(sample) => {
                if let Some(sample) = sample.decode() {
                    host.observe(sample);
                }
            }
            Record::Process(key, process) => host.assign(key, process),
            Record::Locks(key, locks) => host.lock(key, locks),
            Record::Asked(namespace, began) => host.sweep(namespace, began),
            Record::Gone(key) => host.forget(key),
            Record::Host(_) | Record::Effort(_) => {}
        }
    }
    let mut witness = KernelWitness::default();
    witness.add(host);
}

fuzz_target!(|bytes: &[u8]| {
    take(bytes);
    let mut list = ListWriter::default().take();
    list.extend(bytes);
    take(&list);
});
