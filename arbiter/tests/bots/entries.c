/* Exports something else than a bot's entry point. */
#if defined(MANGLED)
__attribute__((visibility("default"))) void *_Z14arbiter_bot_v1j(unsigned abi)
#elif defined(OF_FORTRAN)
__attribute__((visibility("default"))) void *arbiter_bot_v1_(unsigned abi)
#elif defined(HIDDEN)
__attribute__((visibility("hidden"), used)) void *arbiter_bot_v1(unsigned abi)
#elif defined(TOO_NEW)
__attribute__((visibility("default"))) void *arbiter_bot_v2(unsigned abi)
#else
__attribute__((visibility("default"))) void *something_else(unsigned abi)
#endif
{
    (void)abi;
    return 0;
}

#ifdef PROGRAM
int main(void)
{
    return something_else(1) != 0;
}
#endif
