//! Stack unwinding: from a call to its caller. It uses the tables that programs have for exceptions
//! (`.eh_frame`; System V ABI), or frame pointers if there are none. Only rules of the form "a register plus
//! an offset" are followed. Other rules are rare, and may be expressions that never end.

use std::sync::Arc;

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, LittleEndian, Register, RegisterRule, UnwindContext,
    UnwindSection as _,
};
use tcpwhy_model::live::UserStack;

use super::module::Module;

/// Register numbers in these tables: stack pointer, frame pointer, return address.
#[cfg(target_arch = "x86_64")]
const REGISTERS: [Register; 3] = [gimli::X86_64::RSP, gimli::X86_64::RBP, gimli::X86_64::RA];
#[cfg(not(target_arch = "x86_64"))]
const REGISTERS: [Register; 3] = [gimli::AArch64::SP, gimli::AArch64::X29, gimli::AArch64::X30];

/// Bits of an address. The bits above them may be a signature (pointer authentication of aarch64).
#[cfg(target_arch = "x86_64")]
const ADDRESS: u64 = u64::MAX;
#[cfg(not(target_arch = "x86_64"))]
const ADDRESS: u64 = (1 << 48) - 1;

/// The registers of a call: stack pointer, frame pointer, and the return address if it is in a register.
#[derive(Clone, Copy, Debug)]
struct Frame {
    sp: u64,
    bp: u64,
    lr: Option<u64>,
}

/// Passes the address of each call to `each`, the innermost first, until it returns false. `module` finds the
/// file of the code at an address, with the start of the mapping and its offset in the file.
pub(super) fn each_call(
    stack: &UserStack,
    mut module: impl FnMut(u64) -> Option<(Arc<Module>, u64, u64)>,
    mut each: impl FnMut(u64) -> bool,
) {
    let mut frame = Frame { sp: stack.sp, bp: stack.bp, lr: Some(stack.lr & ADDRESS).filter(|lr| *lr != 0) };
    let mut address = stack.ip;
    while each(address) {
        let known = module(address).and_then(|(module, start, offset)| {
            let address = module.address(start, offset, address)?;
            by_table(&module, address, frame, stack)
        });
        let Some((caller, return_to)) = known.unwrap_or_else(|| by_frame_pointer(frame, stack)) else { return };
        // Stacks grow downwards, so a caller's frame has a higher address. Only a function without a frame
        // shares its caller's stack pointer.
        if caller.sp < frame.sp || (caller.sp == frame.sp && frame.lr.is_none()) {
            return;
        }
        frame = caller;
        // The return address is after the call, so one byte less is within the call.
        let Some(call) = return_to.checked_sub(1) else { return };
        address = call;
    }
}

/// A word of 8 bytes on the stack.
fn word(stack: &UserStack, address: u64) -> Option<u64> {
    let at = usize::try_from(address.checked_sub(stack.sp)?).ok()?;
    stack.bytes.get(at..at.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}

/// The caller and the return address by the table. `None` if the table does not contain this code;
/// `Some(None)` if the function has no caller or the rule cannot be followed.
#[allow(clippy::option_option, reason = "not known is not the same as nobody")]
fn by_table(module: &Module, address: u64, frame: Frame, stack: &UserStack) -> Option<Option<(Frame, u64)>> {
    let [index, frames] = module.frames.as_ref()?;
    let mut bases = BaseAddresses::default().set_eh_frame_hdr(index.address).set_eh_frame(frames.address);
    if let Some(text) = module.bases[0] {
        bases = bases.set_text(text);
    }
    if let Some(got) = module.bases[1] {
        bases = bases.set_got(got);
    }
    let index = EhFrameHdr::new(&index.bytes, LittleEndian).parse(&bases, 8).ok()?;
    let frames = EhFrame::new(&frames.bytes, LittleEndian);
    let entry = index.table()?.fde_for_address(&frames, &bases, address, EhFrame::cie_from_offset).ok()?;
    let mut context = UnwindContext::new();
    let row = entry.unwind_info_for_address(&frames, &bases, &mut context, address).ok()?;
    let [sp, bp, ra] = REGISTERS;
    let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return Some(None) };
    let base = match *register {
        register if register == sp => frame.sp,
        register if register == bp => frame.bp,
        _ => return Some(None),
    };
    let cfa = base.wrapping_add_signed(*offset);
    let saved = |register: Register, held: Option<u64>| match row.register(register) {
        Some(RegisterRule::Offset(offset)) => word(stack, cfa.wrapping_add_signed(offset)),
        None | Some(RegisterRule::SameValue) => held,
        // The table marks the outermost call by a return address that is undefined.
        _ => None,
    };
    let Some(return_to) = saved(ra, frame.lr) else { return Some(None) };
    let caller = Frame { sp: cfa, bp: saved(bp, Some(frame.bp)).unwrap_or_default(), lr: None };
    Some(Some((caller, return_to & ADDRESS)))
}

/// The caller and the return address by frame pointers, if every function saves its caller's frame pointer
/// and return address.
fn by_frame_pointer(frame: Frame, stack: &UserStack) -> Option<(Frame, u64)> {
    if frame.bp < frame.sp {
        return None;
    }
    let return_to = word(stack, frame.bp.checked_add(8)?)? & ADDRESS;
    let caller = Frame { sp: frame.bp.checked_add(16)?, bp: word(stack, frame.bp)?, lr: None };
    Some((caller, return_to))
}
