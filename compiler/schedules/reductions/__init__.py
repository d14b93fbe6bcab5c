"""In which ways is a reduction computed, while its order stays what the IR says?"""
