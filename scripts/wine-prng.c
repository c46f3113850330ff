/* bcryptprimitives.dll for Wine before 9, with the one function that Rust's standard library uses from it. */
typedef unsigned char BOOLEAN;

/* RtlGenRandom, of advapi32.dll */
BOOLEAN __stdcall SystemFunction036(void *, unsigned long);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *data, unsigned long long length) {
    return SystemFunction036(data, (unsigned long)length);
}
