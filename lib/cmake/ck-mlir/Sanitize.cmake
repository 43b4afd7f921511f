# Builds everything with sanitizers, see docs/Testing.md. LLVM and MLIR are those of the system,
# without them; what that needs is in SanitizerOptions.cpp, which every program gets.
#
#   CK_SANITIZER  empty, `address` (with undefined behaviour) or `thread`
#
#   ck_disable_sanitizer(<target>)
#     For what a program that we do not build loads without the runtime of the sanitizer.
#   ck_allow_own_types(<target>)
#     For a C library whose functions are found by name: callers may have types of their own for
#     what its headers declare, such as int for an enum, so that neither the type of a call nor the
#     range of an enum is checked.

set(CK_SANITIZER "" CACHE STRING "Sanitizers to build with: empty, address or thread")
set_property(CACHE CK_SANITIZER PROPERTY STRINGS "" address thread)

function(ck_disable_sanitizer target)
  if(CK_SANITIZER)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
    target_link_options(${target} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

function(ck_allow_own_types target)
  if(CK_SANITIZER STREQUAL "address")
    target_compile_options(${target} PRIVATE -fno-sanitize=function,enum)
  endif()
endfunction()

if(NOT CK_SANITIZER)
  return()
endif()
if(CK_SANITIZER STREQUAL "address")
  # No vptr, which wants to know the types of LLVM as well. The runtime is a library of its own, so
  # that programs without sanitizers can load ours.
  set(flags -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
  set(link_flags -shared-libsan)
  set(runtime libclang_rt.asan-x86_64.so)
elseif(CK_SANITIZER STREQUAL "thread")
  set(flags -fsanitize=thread)
  set(link_flags)
  set(runtime libclang_rt.tsan-x86_64.a)
else()
  message(FATAL_ERROR "CK_SANITIZER must be empty, address or thread, got '${CK_SANITIZER}'")
endif()
execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${runtime}
                OUTPUT_VARIABLE CK_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT EXISTS "${CK_SANITIZER_RUNTIME}")
  message(FATAL_ERROR "CK_SANITIZER=${CK_SANITIZER} requires ${runtime}, which the compiler does "
                      "not have; on Debian it is in libclang-rt-22-dev")
endif()
get_filename_component(folder "${CK_SANITIZER_RUNTIME}" DIRECTORY)

# LLVM's arenas poison what they have not handed out, in their own header: our code would poison
# memory that libLLVM, which was built without, then hands out. Containers, too, would be annotated
# in our half of the program alone. What LLVM keeps for the life of the process is no leak. A thread
# that lets LLVM handle signals gets a stack for handlers from LLVM's heap; the sanitizer would
# unmap it in place of its own when the thread ends.
string(JOIN ":" CK_ASAN_OPTIONS allow_user_poisoning=0 detect_container_overflow=0 detect_leaks=0
       detect_stack_use_after_return=1 strict_init_order=1 allocator_may_return_null=1
       use_sigaltstack=0)
# What happens inside of libLLVM is not seen, nor how it synchronizes.
string(JOIN ":" CK_TSAN_OPTIONS ignore_noninstrumented_modules=1 second_deadlock_stack=1
       halt_on_error=1)

add_compile_options(${flags} -fno-omit-frame-pointer)
# The runtime stands between a program and dlopen, which would search the run path of the runtime:
# the older form of the entry goes for all libraries of a program.
add_link_options(${flags} ${link_flags} "LINKER:-rpath,${folder}" "LINKER:--disable-new-dtags")
add_library(CKSanitizerOptions OBJECT "${CMAKE_CURRENT_LIST_DIR}/SanitizerOptions.cpp")
target_compile_definitions(CKSanitizerOptions PRIVATE
  CK_ASAN_OPTIONS="${CK_ASAN_OPTIONS}" CK_TSAN_OPTIONS="${CK_TSAN_OPTIONS}")
set(executable "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
link_libraries("$<${executable}:$<TARGET_OBJECTS:CKSanitizerOptions>>")
